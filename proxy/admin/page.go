package admin

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"net/http"
)

// page is the whole page: HTML, its style and its script.
//
//go:embed page.html
var page []byte

// policy is the Content-Security-Policy: the page's own style and script, whose hashes are
// here, and requests to this server. Nothing else is loaded or run.
var policy = "default-src 'none'; connect-src 'self'; img-src data:" +
	"; style-src " + hashOf("style") + "; script-src " + hashOf("script") +
	"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// hashOf returns the hash of the page's only element of that name, as a policy has it.
func hashOf(element string) string {
	_, rest, _ := bytes.Cut(page, []byte("<"+element+">"))
	text, _, found := bytes.Cut(rest, []byte("</"+element+">"))
	if !found {
		panic("the page has no " + element)
	}
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func servePage(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(page)
}
