// memjs: node-memjs.js <host:port>. Its multi-get is many gets at once, on one connection.
const memjs = require('memjs');
const { found, serve } = require('./lines');

const client = memjs.Client.create(process.argv[2], { timeout: 20, conntimeout: 20, retries: 1, logger: { log() {} } });
const get = async (key) => [key, (await client.get(key)).value];

serve(async (command, ...words) => {
  switch (command) {
    case 'set': return await client.set(...words, {}) ? 'stored' : 'not stored';
    case 'get': return found([await get(words[0])]);
    default: return found(await Promise.all(words.map((key) => get(key).catch(() => [key, null]))));
  }
});
