const { check, failure } = require('./check.js');

module.exports = async (m) => {
  check("add verb/lock/node-lock 'alice'", await m.add('verb/lock/node-lock', 'alice', 30), true);
  check("add verb/lock/node-lock 'bob'", await failure(m.add('verb/lock/node-lock', 'bob', 30)), 'Item is not stored');
  check('touch verb/relock/node-lock/alice', await m.touch('verb/relock/node-lock/alice', 60), true);
  check('touch verb/relock/node-lock/bob', await m.touch('verb/relock/node-lock/bob', 60), false);
  check('del verb/unlock/node-lock/bob', await m.del('verb/unlock/node-lock/bob'), false);
  check('del verb/unlock/node-lock/alice', await m.del('verb/unlock/node-lock/alice'), true);
};
