package upstream

import "testing"

// A server that does not know version is no memcached.
func TestNoMemcached(t *testing.T) {
	const want = "answers ERROR to version, which every memcached knows: is it a memcached, and not a proxy such as nutcracker?"
	if got := (Login{}).whyUnversioned([]byte("ERROR")); got != want {
		t.Errorf("%q", got)
	}
}

// A server that sends back what it has got does not make clients see the password.
func TestPasswordIsHidden(t *testing.T) {
	line := []byte("SERVER_ERROR what is ann secret")
	for login, shown := range map[Login]string{
		{User: "ann", Password: "secret"}: "refuses connections: SERVER_ERROR what is ann …",
		{}:                                "refuses connections: SERVER_ERROR what is ann secret",
	} {
		if got := login.whyUnversioned(line); got != shown {
			t.Errorf("%q is shown, expected %q", got, shown)
		}
	}
}
