// memjs, ten clients that ask for one page and make it if it is missing: held-memjs.js <host:port>
const memjs = require('memjs');
const { PATIENCE, pause } = require('./checks');

const PAGE = 'the page';
let made = 0;

const get = async (client, key) => { const { value } = await client.get(key); return value && value.toString(); };

async function ask(_, number) {
  const client = memjs.Client.create(process.argv[2], { timeout: PATIENCE, conntimeout: PATIENCE, retries: 0 });
  const page = await get(client, 'page:1');
  if (page === null) {
    await pause(300);
    await client.set('page:1', PAGE, {});
    made++;
  } else if (page !== PAGE) throw new Error(`the page is ${page}`);
  // All of a client goes over one connection, which never waits for itself.
  const own = await Promise.all([1, 2, 3].map(() => get(client, `page:own:${process.pid}:${number}`)));
  if (own.some((value) => value !== null)) throw new Error(`its own page is ${own}`);
  client.close();
}

console.log('memjs', require('memjs/package.json').version);
Promise.all([...Array(10)].map(ask)).then(() => {
  console.log(made, 'made');
  console.log('ok');
  process.exit(0);
}, (error) => {
  console.error(error);
  process.exit(1);
});
