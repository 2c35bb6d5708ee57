package main

import (
	"strings"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/manual"
	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/cmd/memverbs/settings"
)

// filePage returns the manual page of the file with settings in the language of man(7).
func filePage() string {
	p, all := &manual.Page{}, settings.EmptySections()
	p.Line(".TH MEMVERBS.YML 5 \"%s\" \"memverbs %s\" \"File Formats\"", date, manual.Roff(version))
	p.Line(".SH NAME\nmemverbs.yml \\- settings of memverbs")
	p.Line(".SH SYNOPSIS\n.B memverbs \\-\\-config\n.I file")
	p.Line(".SH DESCRIPTION")
	p.Paragraphs(`The file of --config has all settings of memverbs(1), in place of other flags. Only a file can describe several pools of memcached servers. There is no file that is read unless --config names it; the service that packages install has /etc/memverbs/memverbs.yml.`,
		`"memverbs check" tells what is wrong with a file or what it means, "memverbs example" prints one that has every setting, and "memverbs import" makes one from the configuration of twemproxy or mcrouter. A SIGHUP has memverbs read the file again and use it. A file with a mistake changes nothing then.`)
	p.Line(".SH EXAMPLE")
	p.Lines(strings.Split(strings.TrimSpace(manExample), "\n"))
	p.Line(".SH SYNTAX")
	p.Paragraphs(`The file is YAML, of at most a megabyte, without anchors, aliases and tags. A value is taken as it is written: 0700 and no mean what they seem to mean. A text needs quotes if YAML would take it for something else: if it is empty, if it begins with one of the characters [ ] { } , # & * ! | > ' " % @ or a back quote, and if it has a colon at its end, before a space, or anywhere within braces.`)
	p.Terms(valueTerms())
	p.Line(".SH AT THE TOP OF THE FILE")
	p.Paragraphs(`Beside the mapping pools and the list listeners, which follow, there may be these settings of the whole process. loops, buffer-memory, read-cache, admin, slow, log-level and log-format take effect at the next start only.`)
	section(p, all.Top)
	p.Line(".SH POOLS")
	p.Paragraphs(`pools has a mapping for each pool, by its name. It must have servers. It has listen, unless a route leads to the pool, or it is the spare of another.`)
	section(p, all.Pool)
	p.Line(".SH LISTENERS")
	p.Paragraphs(`Each element of listeners is a mapping with listen, with routes, and perhaps with other settings of clients. routes is a mapping of prefixes of keys to the names of pools. If a key begins with several prefixes, the longest counts. Every key begins with the prefix "", which one of the routes must have.`)
	section(p, all.Listener)
	p.Line(".SH ROUTES")
	p.Paragraphs(`Instead of the name of a pool, a route may have a mapping with pool, which is the name, or with copies, a list of two to eight pools that all have the keys: get asks the first that is up, and the next after a miss or an error; set, delete and touch change all of them; everything else changes the first one and deletes the others. With pool it may have shadow, the name of another pool, and share, a percentage from 0.001% to 100%: requests on that share of the keys, but no verbs, are sent to the shadow too if it can take them at once; clients get the answers of their own pool, and those of the shadow are counted. It may also have this:`)
	section(p, all.Route)
	p.Line(".SH LAYOUTS")
	p.Paragraphs(`Each places every key on the same server as the program that is named does. All proxies in front of a pool must have the same servers, layout, unhashed-prefix, hash-tag, log-chunk and log-chunks.`)
	p.Terms(layouts().Terms)
	p.Line(".SH SECRETS")
	p.Paragraphs(`Files with keys and passwords must be readable by the user that memverbs runs as, and by no others. The service that packages install runs as a user that exists only while it runs. So let a group read the files, and give the service that group, by "systemctl edit memverbs":`)
	p.Line(".PP")
	p.Lines([]string{
		"groupadd --system memverbs-secrets",
		"chgrp memverbs-secrets /etc/memverbs/users",
		"chmod 0640 /etc/memverbs/users", "",
		"[Service]", "SupplementaryGroups=memverbs-secrets",
	})
	p.Line(".PP")
	p.Paragraphs(`memverbs sees it when these files change: passwords at a reload, certificates and keys by itself. Where no group may read a file, systemd can pass a copy: with`)
	p.Line(".PP")
	p.Lines([]string{"[Service]", "LoadCredential=users:/etc/memverbs/users"})
	p.Line(".PP")
	p.Paragraphs(`it is /run/credentials/memverbs.service/users, and remains as it is until the service is restarted. Restart it rather than reload it: older versions of systemd, such as Debian 12's, don't pass the copies to the check of a reload.`)
	p.Line(".SH SEE ALSO\n.BR memverbs (1),\n.BR memcached (1),\n.BR systemd.exec (5)")
	return p.String()
}

// manExample is the example of the page.
const manExample = `
pools:
  main:
    listen: ["10.0.0.9:11211", "unix:/run/memverbs/main.sock"]
    socket-mode: 0770
    layout: twemproxy:ketama:fnv1a_64
    servers: ["10.0.0.1:11211:1 alpha", "10.0.0.2:11211:1 beta"]
  sessions:
    timeout: 300ms
    servers:
      - 10.0.1.1:11211
      - 10.0.1.2:11211

listeners:
  - listen: ["10.0.0.9:11311"]
    routes: {"session:": sessions, "": main}
`

// valueTerms tells how values are written.
func valueTerms() []manual.Term {
	return []manual.Term{
		{Name: "duration", Meaning: "a number with ms, s, m or h, such as 500ms."},
		{Name: "size", Meaning: "a number of bytes, or one with KB, MB or GB, which are powers of 1024, such as 64MB."},
		{Name: "address", Meaning: "host:port, [ipv6]:port, or :port for all addresses of the machine; where clients connect also unix:/path."},
		{Name: "server", Meaning: "host:port:weight name, of which the port, the weight and the name may be left out from the end, or unix:/path in place of the host and the port."},
		{Name: "file", Meaning: "its path. One that does not begin with / is looked up in the folder in which memverbs was started."},
		{Name: "list", Meaning: "[a, b], or a line that begins with - for each element."},
	}
}

// section writes the settings of a section of a file.
func section(p *manual.Page, s *setting.Section) {
	for _, part := range s.Parts {
		p.Line(".SS %s", manual.Roff(part.Name()))
		part.VisitAll(func(f *pflag.Flag) {
			d := setting.Describe(f)
			text := d.Sentence()
			if d.Initial != "" {
				text += " The default is " + d.Initial + "."
			}
			p.Line(".TP\n\\fB%s\\fR \\fI%s\\fR\n%s", manual.Roff(d.Name), manual.Roff(d.Value), manual.Roff(text))
		})
	}
}
