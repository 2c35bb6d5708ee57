// What the parts of the session share.
const assert = require('node:assert');

// check shows what a call returned, and throws if it is not what it should be.
exports.check = (what, got, expected) => {
  assert.deepStrictEqual(got, expected, `memcached: ${what}: got ${JSON.stringify(got)}`);
  console.log(`${what} -> ${JSON.stringify(got)}`);
};

// The client reports NOT_STORED as an error.
exports.failure = (promise) => promise.then(() => 'no failure', (error) => error.message);

// listed takes the value of a logfetch or hgetall apart: <when or field> <flags> <bytes>, line feed, data, line feed.
exports.listed = (value) => {
  const bytes = Buffer.from(value);
  const found = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\n', at);
    const [name, flags, size] = bytes.toString('utf8', at, end).split(' ');
    at = end + 1 + Number(size) + 1;
    found.push([name, Number(flags), bytes.toString('utf8', end + 1, at - 1)]);
  }
  return found;
};

exports.longAgo = 1000000000; // a date, which as an exptime means: expired already
