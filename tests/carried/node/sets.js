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
  check('get verb/smembers/none', await m.get('verb/smembers/none'), undefined);
};
