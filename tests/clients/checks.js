// What the scripts of the JavaScript clients share: values, comparing, waiting, and talking with the test that runs them.
const readline = require('node:readline');
const { isDeepStrictEqual } = require('node:util');

exports.PATIENCE = 20; // seconds, for what is bound to happen
exports.BINARY = Buffer.concat([Buffer.from([...Array(256).keys()]), Buffer.from('\r\nEND\r\n')]);
exports.LARGE = 'x'.repeat(1024 * 1024 - 512);
exports.MANY = Object.fromEntries([...Array(40).keys()].map((i) => [`many${i}`, `value ${i}`]));

const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const text = (value) => String(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 200);
const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });
let client;
let checks = 0;

// begin says which client it is.
exports.begin = (name, version) => {
  client = name;
  console.log(client, version);
};

// check compares what the client returned with what it should have. The first difference ends the script.
exports.check = (operation, expected, got) => {
  checks++;
  if (isDeepStrictEqual(got, expected)) return;
  console.error(`${client}: ${operation}: expected ${text(expected)}, got ${text(got)}`);
  process.exit(1);
};

// eventually expects call to resolve to what is expected before long.
exports.eventually = async (operation, expected, call) => {
  for (const giveUp = Date.now() + exports.PATIENCE * 1000; !isDeepStrictEqual(await call(), expected) && Date.now() < giveUp;) await pause(50);
  exports.check(operation, expected, await call());
};

exports.pause = pause;

// frozen has the test freeze one of the memcacheds behind the proxy. False if there is none.
exports.frozen = async () => await ask('freeze') === 'frozen';

// thaw has it go on, and resolves when the proxy uses it again.
exports.thaw = async () => exports.check('thaw', 'thawed', await ask('thaw'));

async function ask(what) {
  console.log(what);
  return (await lines.next()).value;
}

// run runs the script to its end.
exports.run = (main) => main().then(() => {
  console.log(`${checks} checks\nok`);
  process.exit(); // or timers of the client go on
}, (error) => {
  console.error(error);
  process.exit(1);
});
