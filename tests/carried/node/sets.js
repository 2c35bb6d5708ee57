const { check, failure } = require('./check.js');

module.exports = async (m) => {
  check("set verb/sadd/node 'apple pear plum'", await m.set('verb/sadd/node', 'apple pear plum', 600), true);
  check("set verb/srem/node 'pear'", await m.set('verb/srem/node', 'pear', 0), true);
  check('get verb/smembers/node', await m.get('verb/smembers/node'), 'apple plum');
  check(
    'getMulti of three verbs and a key',
    { ...(await m.getMulti(['verb/scard/node', 'verb/sismember/node/apple', 'verb/sismember/node/pear', 'none'])) },
    { 'verb/scard/node': '2', 'verb/sismember/node/apple': '1', 'verb/sismember/node/pear': '0' },
  );
  check('set verb/srem/none', await failure(m.set('verb/srem/none', 'a', 0)), 'Item is not stored');
  check("add verb/saddnew/node-seen 'a'", await m.add('verb/saddnew/node-seen', 'a', 600), true);
  check("add verb/saddnew/node-seen 'a' again", await failure(m.add('verb/saddnew/node-seen', 'a', 0)), 'Item is not stored');
  check("set verb/schange/node-seen '-a +plum +fig'", await m.set('verb/schange/node-seen', '-a +plum +fig', 0), true);
  check("set verb/saddp/node-seen/600 'kiwi fig'", await m.set('verb/saddp/node-seen/600', 'kiwi fig', 0), true);
  check('get verb/smembers/node-seen', await m.get('verb/smembers/node-seen'), 'plum kiwi fig');
  check("set verb/schange/node-seen '-kiwi'", await m.set('verb/schange/node-seen', '-kiwi', 0), true);
  check(
    'getMulti of sums',
    { ...(await m.getMulti(['verb/sinter/node/node-seen', 'verb/sunion/node/none/node-seen', 'verb/sdiff/node/node-seen'])) },
    { 'verb/sinter/node/node-seen': 'plum', 'verb/sunion/node/none/node-seen': 'apple plum fig', 'verb/sdiff/node/node-seen': 'apple' },
  );
  check('get verb/smembers/none', await m.get('verb/smembers/none'), undefined);
};
