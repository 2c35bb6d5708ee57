const { check, failure, longAgo } = require('./check.js');

module.exports = async (m) => {
  check("set verb/rpush/node-list 'a b c'", await m.set('verb/rpush/node-list', 'a b c', 600), true);
  check("set verb/lpush/node-list 'x c y'", await m.set('verb/lpush/node-list', 'x c y', 0), true);
  check('get verb/lrange/node-list', await m.get('verb/lrange/node-list'), 'y c x a b c');
  check('get verb/lrange/node-list/1/-3', await m.get('verb/lrange/node-list/1/-3'), 'c x a');
  check('get verb/llen/node-list', await m.get('verb/llen/node-list'), '6');
  check("set verb/lrem/node-list/-1 'c'", await m.set('verb/lrem/node-list/-1', 'c', 0), true);
  check('get verb/lrange/node-list', await m.get('verb/lrange/node-list'), 'y c x a b');
  check("set verb/ltrim/node-list '1 -2'", await m.set('verb/ltrim/node-list', '1 -2', 0), true);
  check('get verb/lrange/node-list', await m.get('verb/lrange/node-list'), 'c x a');

  check('get verb/lpop/node-list', await m.get('verb/lpop/node-list'), 'c');
  check('get verb/rpop/node-list/5', await m.get('verb/rpop/node-list/5'), 'a x');
  check('get verb/lpop/node-list, which is empty now', await m.get('verb/lpop/node-list'), undefined);
  check('get verb/llen/node-list', await m.get('verb/llen/node-list'), undefined);

  check('set verb/lrem/none/0', await failure(m.set('verb/lrem/none/0', 'a', 0)), 'Item is not stored');
  check('set verb/ltrim/none', await failure(m.set('verb/ltrim/none', '0 1', 0)), 'Item is not stored');
  check('get verb/lrange/none', await m.get('verb/lrange/none'), undefined);
  check('get verb/lpop/none', await m.get('verb/lpop/none'), undefined);

  check("set verb/rpush/node-list 'b', long ago", await m.set('verb/rpush/node-list', 'b', longAgo), true);
  check('get verb/lrange/node-list, which was made anew', await m.get('verb/lrange/node-list'), undefined);
  check("set verb/rpush/node-list 'b'", await m.set('verb/rpush/node-list', 'b', 600), true);
  // An exptime is that of a list which the push creates, not of one that is there.
  check("set verb/rpush/node-list 'a', long ago", await m.set('verb/rpush/node-list', 'a', longAgo), true);
  check('get verb/lrange/node-list', await m.get('verb/lrange/node-list'), 'b a');
  check("set verb/lpush/node-old 'a', long ago", await m.set('verb/lpush/node-old', 'a', longAgo), true);
  check('get verb/lrange/node-old', await m.get('verb/lrange/node-old'), undefined);
  check('touch node-list', await m.touch('node-list', 600), true);
  check('del node-list', await m.del('node-list'), true);
  check('get verb/llen/node-list', await m.get('verb/llen/node-list'), undefined);
};
