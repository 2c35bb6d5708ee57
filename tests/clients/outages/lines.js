// What the drivers in JavaScript share: they answer a line after the other.
const readline = require('node:readline');

// found is what was found, as a line.
exports.found = (pairs) => pairs.filter(([, value]) => value !== null && value !== undefined).map(([key, value]) => `${key}=${value}`).join(' ');

// serve answers each line by what answer resolves to.
exports.serve = async (answer) => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    console.log(await answer(...line.split(' ')).catch((error) => `error ${error.message || error}`));
  }
  process.exit(); // or timers of the client go on
};
