// memcached for Node.js: node-memcached.js <host:port>
const Memcached = require('memcached');
const { found, serve } = require('./lines');

// After a refusal it would avoid the proxy for 30 seconds.
const client = new Memcached(process.argv[2], { timeout: 20000, idle: 20000, retry: 1, failures: Number.MAX_SAFE_INTEGER });
const call = (method, ...args) => new Promise((resolve, reject) => {
  client[method](...args, (error, got) => (error ? reject(error) : resolve(got)));
});

serve(async (command, ...words) => {
  const got = await call({ set: 'set', get: 'get', multi: 'getMulti' }[command], ...(command === 'multi' ? [words] : words), ...(command === 'set' ? [0] : []));
  if (command === 'set') return got ? 'stored' : 'not stored';
  if (got === false) return 'error'; // in the place of a message; a miss is undefined
  return found(command === 'get' ? [[words[0], got]] : Object.entries(got || {}));
});
