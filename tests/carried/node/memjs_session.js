// A session of memjs, which speaks the binary protocol: node memjs_session.js HOST PORT
const memjs = require('memjs');
const { check } = require('./check');

const [host, port] = process.argv.slice(2);
const m = memjs.Client.create(`${host}:${port}`, { retries: 1 });
const text = async (key) => { const { value } = await m.get(key); return value && value.toString(); };

(async () => {
  check('set verb/sadd/memjs "apple pear"', await m.set('verb/sadd/memjs', 'apple pear', { expires: 600 }), true);
  check('get verb/smembers/memjs', await text('verb/smembers/memjs'), 'apple pear');
  check('set verb/rpush/memjs-list "a"', await m.set('verb/rpush/memjs-list', 'a', {}), true);
  check('get verb/lpop/memjs-list', await text('verb/lpop/memjs-list'), 'a');
  check('get verb/lpop/memjs-list, which is empty now', await text('verb/lpop/memjs-list'), null);

  check('get verb/lpop/memjs-list/wait/1', await text('verb/lpop/memjs-list/wait/1'), null);
  await m.set('verb/lpush/memjs-list', 'b', {});
  check('get verb/rpop/memjs-list/wait/60000', await text('verb/rpop/memjs-list/wait/60000'), 'b');
  check('set verb/saddp/memjs/600 "kiwi"', await m.set('verb/saddp/memjs/600', 'kiwi', {}), true);
  check('set verb/schange/memjs "-apple +fig"', await m.set('verb/schange/memjs', '-apple +fig', {}), true);
  check('get verb/smembers/memjs', await text('verb/smembers/memjs'), 'pear kiwi fig');
  check('set verb/zmax/memjs-best "5 alice 7 bob"', await m.set('verb/zmax/memjs-best', '5 alice 7 bob', {}), true);
  check('get verb/zpopmax/memjs-best', await text('verb/zpopmax/memjs-best'), 'bob 7');

  // Its values are bytes.
  const bytes = Buffer.from([0, 13, 10, 32, 255, 126]);
  check('set verb/rput/memjs-objects', await m.set('verb/rput/memjs-objects', bytes, { expires: 600 }), true);
  check('set verb/rput/memjs-objects, JSON', await m.set('verb/rput/memjs-objects', JSON.stringify({ to: 'alice', of: [1, 'x y'] }), {}), true);
  check('get verb/lpop/memjs-objects', (await m.get('verb/lpop/memjs-objects')).value.equals(bytes), true);
  const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  for (const object of [Buffer.alloc(0), Buffer.from('x'), everyByte, Buffer.alloc(32768, everyByte)]) {
    check(`set verb/lput/memjs-objects, ${object.length} B`, await m.set('verb/lput/memjs-objects', object, {}), true);
    check('get verb/lpop/memjs-objects', (await m.get('verb/lpop/memjs-objects')).value.equals(object), true);
  }
  check('get verb/lpop/memjs-objects, JSON', JSON.stringify(JSON.parse(await text('verb/lpop/memjs-objects'))), '{"to":"alice","of":[1,"x y"]}');

  // It always gives an initial value: 0, unless told otherwise.
  check('increment verb/hincr/memjs-table/hits', (await m.increment('verb/hincr/memjs-table/hits', 1, {})).value, 0);
  check('increment verb/hincr/memjs-table/hits', (await m.increment('verb/hincr/memjs-table/hits', 1, {})).value, 1);
  check('increment verb/hincr/memjs-table/more, from 5', (await m.increment('verb/hincr/memjs-table/more', 1, { initial: 5 })).value, 5);
  check('increment verb/zincrby/memjs-points/alice', (await m.increment('verb/zincrby/memjs-points/alice', 3, {})).value, 3);

  check('add verb/lock/memjs-job', await m.add('verb/lock/memjs-job', 'alice', { expires: 30 }), true);
  check('delete verb/unlock/memjs-job/bob', await m.delete('verb/unlock/memjs-job/bob').catch(() => 'an error'), 'an error');
  check('delete verb/unlock/memjs-job/alice', await m.delete('verb/unlock/memjs-job/alice'), true);
  check('get verb/nope/x', await m.get('verb/nope/x').catch(() => 'an error'), 'an error');
  m.close();
  console.log('ok');
})().catch((e) => { console.error(e); process.exit(1); });
