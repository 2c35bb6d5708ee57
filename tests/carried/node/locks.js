const { check, failure } = require('./check.js');

module.exports = async (m) => {
  check("add verb/lock/node-lock 'alice'", await m.add('verb/lock/node-lock', 'alice', 30), true);
  check("add verb/lock/node-lock 'bob'", await failure(m.add('verb/lock/node-lock', 'bob', 30)), 'Item is not stored');
  check('touch verb/relock/node-lock/alice', await m.touch('verb/relock/node-lock/alice', 60), true);
  check('touch verb/relock/node-lock/bob', await m.touch('verb/relock/node-lock/bob', 60), false);
  check('del verb/unlock/node-lock/bob', await m.del('verb/unlock/node-lock/bob'), false);
  check('del verb/unlock/node-lock/alice', await m.del('verb/unlock/node-lock/alice'), true);
  const crawl = 'verb/lock/node-crawl/holders/2'; // of two who may crawl at the same time
  check(`add ${crawl} 'w1'`, await m.add(crawl, 'w1', 30), true);
  check(`add ${crawl} 'w2'`, await m.add(crawl, 'w2', 30), true);
  check(`add ${crawl} 'w3'`, await failure(m.add(crawl, 'w3', 30)), 'Item is not stored');
  check(`add ${crawl} 'w2' again`, await m.add(crawl, 'w2', 30), true);
  check('touch verb/relock/node-crawl/w2', await m.touch('verb/relock/node-crawl/w2', 60), true);
  check('touch verb/relock/node-crawl/w3', await m.touch('verb/relock/node-crawl/w3', 60), false);
  check('del verb/unlock/node-crawl/w1', await m.del('verb/unlock/node-crawl/w1'), true);
  check(`add ${crawl} 'w3'`, await m.add(crawl, 'w3', 30), true);
};
