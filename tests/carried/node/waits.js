const { check, listed } = require('./check.js');

// A get that waits answers as soon as there is something, and misses when the time is over.
module.exports = async (m) => {
  await m.set('verb/rpush/node-waits', 'a b', 600);
  check('get verb/lpop/node-waits/wait/60000', await m.get('verb/lpop/node-waits/wait/60000'), 'a');
  check('get verb/rpop/node-waits/5/wait/60000', await m.get('verb/rpop/node-waits/5/wait/60000'), 'b');
  for (const key of ['lpop/node-waits/wait/1', 'rpop/node-waits/5/wait/1', 'tasktake/node-waits-tasks/30/1/wait/1', 'logfetch/node-waits-log/1/wait/1']) {
    check(`get verb/${key}`, await m.get(`verb/${key}`), undefined);
  }
  await m.set('verb/taskput/node-waits-tasks/a/0', 'Alice', 0);
  check('get verb/tasktake/node-waits-tasks/30/1/wait/60000', (await m.get('verb/tasktake/node-waits-tasks/30/1/wait/60000')).split('\n')[1], 'Alice');
  await m.set('verb/logput/node-waits-log', 'logged in', 0);
  check('get verb/logfetch/node-waits-log/1/wait/60000', listed(await m.get('verb/logfetch/node-waits-log/1/wait/60000'))[0][2], 'logged in');
};
