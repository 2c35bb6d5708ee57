package structure

// Calls that decide (deciding.go) usually run without a coroutine. These are the stages of such a call:
//
//	begin ──> leading    no other call of the event loop decides on the structure: the call decides
//	                     on the view that is kept of it, and appends under the view's CAS
//	begin ──> waiting    others do, or calls gather: the call waits until a leader has decided for it,
//	                     or it is the next leader
//	waiting > leading    it decides on the view for all that wait, and appends
//	either ─> resuming   it leads, and has lost a race or needs more than the view: it goes on with a
//	                     coroutine, still before all that wait, so that calls take effect one after
//	                     another as they began
//	all ────> apart      its decision has an outcome, or the call was closed

// stage is the state of a call that decides without a coroutine.
type stage uint8

const (
	apart    stage = iota // it is not deciding
	waiting               // for the leader
	leading               // its append is in flight, with its own tokens and those of the calls that waited
	resuming              // it leads, and continues on a coroutine
)

// atOnce is a call's part in a decision without a coroutine.
type atOnce struct {
	stage   stage
	awaited *decision // while it is waiting
	led     ledAppend // while it is leading
	own     decision  // the call's own, if it leads without having waited
	alone   [1]*decision
}

// ledAppend is the append of the tokens that the call has decided on for itself and for those that
// waited.
type ledAppend struct {
	ground ground
	round  round
}
