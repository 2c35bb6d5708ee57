package limits

import (
	"os"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }
