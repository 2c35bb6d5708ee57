// A session of the memcached package of npm: node session.js HOST PORT
// The client has no noreply of its own: it asks for it only from servers that keep copies.
const { promisify } = require('node:util');
const Memcached = require('memcached');

const client = new Memcached(`${process.argv[2]}:${process.argv[3]}`);
const m = {};
for (const call of ['set', 'add', 'get', 'getMulti', 'touch', 'del', 'incr', 'decr']) {
  m[call] = promisify(client[call].bind(client));
}

async function session() {
  for (const part of ['sets', 'logs', 'lists', 'objects', 'tables', 'rankings', 'locks', 'limits', 'tasks', 'waits', 'together']) {
    await require(`./${part}.js`)(m);
  }
}

session().then(
  () => {
    console.log('ok');
    client.end();
  },
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
