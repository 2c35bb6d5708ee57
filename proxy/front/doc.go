// Package front is what a server's event loops do: they serve clients. A [Loop] owns some [Client]s and its own connections
// to every upstream, so a request never changes threads and nothing is locked; [Shared] is all that loops share. Client,
// loop and gather call one another for each request, so they are one package.
//
//	Read ──▶ step: parse ──▶ dispatch ──▶ admits ──▶ forward, gather, broadcast, verb ──▶ upstream.Connection
//	          │ enter           │           └no: it waits, and the client is blocked                 │
//	          │ (password)      └─ refused: deny, refusal                                            ▼
//	reply.Queue ◀── send ◀── Answered of Client, gather, broadcast …; VerbAnswered ◀── upstream.Sink
//
// # A plain get
//
// These are the steps of a plain get of one key, in order. Most requests are such gets, so no step allocates memory for
// one. What is in brackets happens only with the settings that it is for.
//
//	Client.step               proceed.go    takes the next request from the input
//	Client.dispatch           dispatch.go   finds its pool and its server (route.Table.Target), or refuses it;
//	                                        [near.go: answers it with a value that the process keeps, and a verb from a
//	                                        structure that the loop has read]
//	Client.admits             admission.go  says whether it has to wait; if so, step is called again later
//	Client.count, begin       client.go     count the request, and begin to measure its time (measure.go)
//	Client.dispatchRetrieval  fanout.go     calls forward if there is one key, otherwise gather
//	Client.forward            forward.go    makes its upstream.Pending: how it counts, and which Sink gets the reply
//	Client.send               forward.go    answers it if the server is down; [namespaces, copies, spare pools, held misses and
//	                                        gets that wait for the same value send it otherwise, or put a
//	                                        sink before the client]
//	Connection.Request        upstream      appends it to the output, which is written at the end of the turn
//	Connection.deliver        upstream      has the complete reply, counts hits and misses, passes it to the sink
//	Client.Answered           forwarded.go  puts the reply into its place in the queue of replies
//	Client.Progress           send.go       sends what is complete, and lets the client proceed
//
// Parts of a large value are sent before it is complete, by Client.Take (forwarded.go).
//
// A client's parts have states of their own, each with its transitions: its gate, its input, its pace, its replies, its
// departure. [Client] itself has what asks several of them.
//
// Some files refer to one above them: step (proceed.go) calls enter, and dispatches the get that a multi-get has
// deferred; a loop has lists of its clients and of gathers for reuse, Shared has a list of the loops, and a client has
// a restore for reuse.
//
// # Files, from the top down
//
//	fortests.go                                          what tests of the whole server use
//	enter.go                                             a client that has yet to show a password
//	newloop.go newsetup.go poolside.go                   making a loop, changing it to another setup, its side of a pool
//	turn.go relief.go                                    what a loop does in each turn; when memory is short
//	receive.go proceed.go                                what a client sends, split into requests
//	finish.go idle.go ending.go                          closing clients: those that leave, those that are idle, all of them
//	connected.go reroute.go                              a client that has connected, or whose setup has changed
//	dispatch.go                                          a request
//	refusal.go                                           one that is refused
//	fanout.go deferred.go named.go                       a retrieval of several keys, also those that name verbs
//	statsanswer.go loopreport.go                         stats
//	carried.go verbrequest.go                            verbs
//	sendagain.go                                         gets that are sent again when a key was stored
//	heldmany.go                                          gets of several keys that wait
//	near.go                                              gets that the process answers, or that wait for others
//	forward.go                                           requests for one upstream
//	heldget.go storesmissing.go                          gets of a key that wait, and who stores it
//	spaced.go spacedget.go                               requests on keys in namespaces
//	moved.go                                             requests on keys that move to another upstream
//	bring.go                                             items that a sweep moves to another server
//	formerplace.go                                       deletions where a structure was before the servers changed
//	nearchange.go                                        changes of what the process keeps
//	admission.go                                         whether a request has to wait
//	copied.go copiedget.go copiedchange.go               requests on keys with copies
//	recognize.go password.go                             the client's protocol, and its password
//	plainget.go keyreturn.go restore.go                  replies that are changed before the client gets them
//	forwarded.go                                         the reply to a forwarded request
//	broadcast.go                                         requests for all upstreams
//	dismissal.go                                         how the proxy asks a client to leave
//	conflicts.go                                         requests that wait for the client's verbs
//	shadowed.go                                          requests that are sent to a shadow pool too
//	lostget.go                                           gets that failed are sent to the spare pool
//	leave.go                                             a client leaves
//	measure.go                                           what is measured of a request
//	retired.go probe.go                                  pools that were replaced; idle upstreams
//	sweep.go                                             freeing the values that the process keeps
//	refusedkeys.go                                       the log of keys that name verbs
//	copiedmany.go                                        retrievals of several keys with copies
//	askmore.go                                           keys of a retrieval that are asked for once more
//	gather.go                                            replies of several upstreams
//	movedmany.go spacedmany.go                           keys of a retrieval that move, and those in namespaces
//	holds.go                                             gets that wait until another client stores what they miss
//	probemissing.go                                      asking for what they miss
//	movedcall.go                                         a request on a key that moves
//	spacedcall.go spacelookup.go                         a request on such keys; how a generation is found
//	copiedparts.go copiedfill.go copiedreply.go          what other copies are asked, how one is filled, replies
//	shadowedmany.go                                      keys of a retrieval that a shadow pool is asked for too
//	nearmany.go                                          values of a retrieval that the process keeps
//	gathered.go                                          merging replies
//	send.go                                              what is sent to the client
//	client.go                                            a client
//	eventloop.go                                         a loop
//	gate.go pace.go departure.go input.go multiget.go    the states of a client's parts
//	copiedorder.go spacedorder.go replies.go callers.go lane.go expected.go its other parts
//	backlog.go waiting.go                                its input that waits
//	shadowedget.go                                       gets that a shadow pool is asked for too
//	shared.go                                            what loops share
//	missing.go                                           what clients are about to store
//	relay.go                                             a sink that passes a reply on to another
package front
