package operation

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"image/png"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/memverbs/memverbs/tests/harness"
)

var picture = flag.String("picture", "", "where TestStatusPage puts its picture of the page, a PNG file")

// hostileKey is a key that would run a script if the page took it for HTML.
const hostileKey = "<img/src=x/onerror=document.title='owned'>"

// hostileName is a name of a server that would do the same, and is too long for a line.
const hostileName = "<img/src=x/onerror=document.title='owned'>-and-on-and-on-and-on-and-on-and-on"

// browser is a page in Chromium, on a screen as a phone has it.
type browser struct {
	t       *testing.T
	context context.Context
	errors  atomic.Int64 // that the page has caused
}

func openPage(t *testing.T, url string) *browser {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(fetched(t, "chromium", "chromium")), chromedp.NoSandbox, chromedp.UserDataDir(t.TempDir()))
	allocator, endAll := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(endAll)
	b := &browser{t: t}
	page, end := chromedp.NewContext(allocator, chromedp.WithListener(b.note))
	t.Cleanup(end)
	b.context = page
	b.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateScale(1.25)))
	b.do(chromedp.Navigate(url))
	return b
}

// note notes errors: exceptions, and what the browser has refused to load or to run.
func (b *browser) note(event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		b.errors.Add(1)
		b.t.Logf("the page: %v", e.ExceptionDetails)
	case *log.EventEntryAdded:
		b.errors.Add(1)
		b.t.Logf("the page: %s %s", e.Entry.Text, e.Entry.URL)
	}
}

func (b *browser) do(action chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if _, err := chromedp.Run(b.context, action); err != nil {
		b.t.Fatalf("the browser: %v", err)
	}
}

// evaluate returns the value of an expression in the page.
func evaluate[T any](b *browser, expression string) T {
	b.t.Helper()
	value, err := chromedp.Run(b.context, chromedp.Evaluate[T](expression))
	if err != nil {
		b.t.Fatalf("the browser: %s: %v", expression, err)
	}
	return value
}

func (b *browser) number(expression string) float64 { return evaluate[float64](b, expression) }

// text returns what a reader of the page sees.
func (b *browser) text() string { return evaluate[string](b, "document.body.innerText") }

// The page shows what happens while it happens, on a phone too, and neither keys nor names of servers can hurt it. An outage is told
// with its server, its reason and its beginning.
func TestStatusPage(t *testing.T) {
	t.Parallel()
	one, two, three := harness.StartMemcached(t, harness.Newest), harness.StartMemcached(t, harness.Newest), harness.StartMemcached(t, harness.Newest)
	named := three.Addr + " (" + hostileName + ")"
	m, admin := startWithAdmin(t, "--layout", "twemproxy:ketama:fnv1a_64", "--upstream", one.Addr+":1", "--upstream", two.Addr+":1", "--upstream", three.Addr+":1 "+hostileName,
		"--slow", "1us", "--timeout", "500ms", "--near", "config:=1s")
	l := startLoad(t, m.Addr, 4)
	defer l.end()
	hot := harness.Dial(t, m.Addr)
	for range 2000 {
		hot.Ask("get "+hostileKey+"\r\n", "END\r\n")
	}
	hot.Ask("get config:mode\r\n", "END\r\n")

	page := openPage(t, admin+"/")
	shown := func() float64 { return page.number("Number(document.documentElement.dataset.shown || 0)") }
	harness.Await(t, "the page to have moved", func() bool { return shown() >= 3 })
	harness.Await(t, "the charts", func() bool { return page.number("document.querySelectorAll('svg .area').length") >= 1 })
	text := page.text()
	for _, want := range []string{
		"All 3 servers answer", "main", one.Addr, two.Addr, named, harness.Newest, "smembers", "requests/s", "clients of", "config:=1s", "near hits", "near memory",
		"age of near hits", "verbs waiting", "Hit rate", "Latency", "took longer than", hostileKey,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not show %q", want)
		}
	}
	if rate := page.number("parseFloat(document.querySelector('#pools .numbers dd').textContent)"); rate <= 0 {
		t.Errorf("%v requests per second", rate)
	}
	page.fits()
	page.takePicture()

	three.Kill(t)
	harness.Await(t, "the page to show the failure", func() bool {
		told := evaluate[string](page, "document.getElementById('troubles').innerText")
		return strings.Contains(told, named+" is down\n") && strings.Contains(told, "pool main · ") && strings.Contains(told, " · since ") && !strings.Contains(told, one.Addr)
	})
	harness.Await(t, "the page to show the server's failures", func() bool {
		return strings.Contains(evaluate[string](page, "document.querySelector('.servers .down').innerText"), "failures/s")
	})
	for _, width := range []int64{820, 1400, 390} { // a tablet, a desk, and the phone once more
		page.do(chromedp.EmulateViewport(width, 844))
		page.fits()
	}
	before := shown()
	harness.Await(t, "the page to go on", func() bool { return shown() > before })
	if n := page.errors.Load(); n > 0 {
		t.Errorf("the page has caused %d errors", n)
	}
	l.end()
	m.Kill(t)
	harness.Await(t, "the page to miss the proxy", func() bool { return strings.Contains(page.text(), "The proxy does not answer") })
}

// fits checks that the screen shows all without scrolling to the side, and that no key or name was taken for HTML.
func (b *browser) fits() {
	b.t.Helper()
	if wide, screen := b.number("document.documentElement.scrollWidth"), b.number("innerWidth"); wide > screen {
		b.t.Errorf("the page is %v pixels wide, and the screen %v", wide, screen)
	}
	const beyond = "[...document.querySelectorAll('main *')].filter(e => e.id !== 'said' && (e.getBoundingClientRect().right > innerWidth + 0.5 || e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== 'visible')).length"
	if n := b.number(beyond); n > 0 {
		b.t.Errorf("%v elements are cut off", n)
	}
	if b.number("Number(document.title.endsWith('memverbs'))") != 1 || b.number("document.images.length") != 0 {
		b.t.Error("a key or a name was taken for HTML")
	}
}

// takePicture checks that there is something to be seen.
func (b *browser) takePicture() {
	b.t.Helper()
	taken, err := chromedp.Run(b.context, chromedp.FullScreenshot(100))
	if err != nil {
		b.t.Fatal(err)
	}
	image, err := png.Decode(bytes.NewReader(taken))
	if err != nil {
		b.t.Fatal(err)
	}
	colours := map[string]int{}
	for y := 0; y < image.Bounds().Dy(); y += 3 {
		for x := 0; x < image.Bounds().Dx(); x += 3 {
			colours[fmt.Sprint(image.At(x, y))]++
		}
	}
	if size := image.Bounds().Size(); size.X < 390 || size.Y < 844 || len(colours) < 20 {
		b.t.Errorf("the picture has %v pixels of %d colours", size, len(colours))
	}
	if *picture != "" {
		if err := os.WriteFile(*picture, taken, 0o644); err != nil {
			b.t.Error(err)
		}
	}
}
