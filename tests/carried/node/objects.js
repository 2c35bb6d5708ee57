const { check } = require('./check.js');

// The client sends objects as JSON, and notes that in the flags, as it does for numbers and for buffers.
module.exports = async (m) => {
  const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const objects = [{ to: 'alice', of: [1, null, 'x y'] }, 'two words', 42, ['a b'], 'long '.repeat(5000), Buffer.from([0, 13, 10, 32, 255, 126]),
    '', 'x', everyByte, 'x'.repeat(32768), Buffer.alloc(20000, everyByte)]; // of which 30 kB are sent
  for (const object of objects) {
    check('set verb/rput/node-objects', await m.set('verb/rput/node-objects', object, 600), true);
  }
  check('get verb/lrange/node-objects/3/3', JSON.stringify(await m.get('verb/lrange/node-objects/3/3')), '["a b"]');
  for (const object of objects) {
    const popped = await m.get('verb/lpop/node-objects');
    check('get verb/lpop/node-objects', JSON.stringify(popped), JSON.stringify(object));
    check('its type', typeof popped, typeof object);
  }
  check('get verb/llen/node-objects', await m.get('verb/llen/node-objects'), undefined);
};
