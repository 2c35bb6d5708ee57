const { check, failure, listed } = require('./check.js');

// taken takes the value of a tasktake apart: <id> <flags> <bytes> <stamp>, line feed, data, line feed.
function taken(value) {
  const bytes = Buffer.from(value);
  const found = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\n', at);
    const [id, flags, size, stamp] = bytes.toString('utf8', at, end).split(' ');
    at = end + 1 + Number(size) + 1;
    found.push([id, Number(flags), bytes.toString('utf8', end + 1, at - 1), stamp]);
  }
  return found;
}

module.exports = async (m) => {
  check("set verb/taskput/node-tasks/a/0 'Alice'", await m.set('verb/taskput/node-tasks/a/0', 'Alice', 600), true);
  check('set verb/taskput/…/later/1906400000000', await m.set('verb/taskput/node-tasks/later/1906400000000', 'x', 0), true);
  const [[id, flags, data, old]] = taken(await m.get('verb/tasktake/node-tasks/30'));
  check('get verb/tasktake/node-tasks/30', [id, flags, data], ['a', 0, 'Alice']);
  check('get verb/tasktake/node-tasks/30, when nothing is due', await m.get('verb/tasktake/node-tasks/30'), undefined);
  check('touch verb/taskkeep/node-tasks/…', await m.touch(`verb/taskkeep/node-tasks/${old}`, 60), true);
  check("set verb/taskretry/node-tasks/… '0'", await m.set(`verb/taskretry/node-tasks/${old}`, '0', 0), true);
  const [[, , , stamp]] = taken(await m.get('verb/tasktake/node-tasks/30'));
  check('the stamp of the second attempt', stamp, `${old.slice(0, -1)}2`);
  check('touch verb/taskkeep/node-tasks/…, of the first', await m.touch(`verb/taskkeep/node-tasks/${old}`, 60), false);
  const refused = await failure(m.set(`verb/taskretry/node-tasks/${old}`, '0', 0));
  check('set verb/taskretry/node-tasks/…, of the first', refused, 'Item is not stored');
  check('del verb/taskdone/node-tasks/…, of the first', await m.del(`verb/taskdone/node-tasks/${old}`), false);
  check('del verb/taskdone/node-tasks/…', await m.del(`verb/taskdone/node-tasks/${stamp}`), true);
  check('get verb/tasklist/node-tasks', listed(await m.get('verb/tasklist/node-tasks')), [['later', 0, '1906400000000 0 0']]);
  check('del verb/taskdrop/node-tasks/later', await m.del('verb/taskdrop/node-tasks/later'), true);
  check('del verb/taskdrop/node-tasks/later', await m.del('verb/taskdrop/node-tasks/later'), false);

  check("add verb/taskadd/…/a/1906400000000 'x'", await m.add('verb/taskadd/node-once/a/1906400000000', 'x', 0), true);
  check("add verb/taskadd/…/a/0 'y'", await failure(m.add('verb/taskadd/node-once/a/0', 'y', 0)), 'Item is not stored');
  const [[once, , x, none]] = taken(await m.get('verb/taskpeek/node-once/a'));
  check('get verb/taskpeek/node-once/a', [once, x, none.slice(-2)], ['a', 'x', '.0']);
  check('get verb/taskpeek/node-once/b', await m.get('verb/taskpeek/node-once/b'), undefined);
  check("set verb/taskmove/node-once/a '0'", await m.set('verb/taskmove/node-once/a', '0', 0), true);
  const [[, , , first]] = taken(await m.get('verb/tasktake/node-once/30/most/1'));
  check('get verb/tasktake/node-once/30/most/1', first, `${none.slice(0, -1)}1`);
  const held = await failure(m.set('verb/taskmove/node-once/a', '0', 0));
  check("set verb/taskmove/node-once/a '0', held", held, 'Item is not stored');
  check('get verb/tasktake/node-once/30/5/most/1', await m.get('verb/tasktake/node-once/30/5/most/1'), undefined);

  // Several at once, beside others.
  check('set verb/taskput/node-tasks/b/1600000000001 "Bob"', await m.set('verb/taskput/node-tasks/b/1600000000001', 'Bob', 0), true);
  check('set verb/taskput/node-tasks/c/1600000000002 ""', await m.set('verb/taskput/node-tasks/c/1600000000002', '', 0), true);
  const got = await m.getMulti(['verb/tasktake/node-tasks/30/10', 'verb/tasklen/node-tasks', 'verb/tasktake/none/30']);
  const both = taken(got['verb/tasktake/node-tasks/30/10']);
  check(
    'getMulti that takes two',
    [both.map((task) => task.slice(0, 3)), got['verb/tasklen/node-tasks'], got['verb/tasktake/none/30']],
    [[['b', 0, 'Bob'], ['c', 0, '']], '2', undefined],
  );
  const ended = await Promise.all(both.map((task) => m.del(`verb/taskdone/node-tasks/${task[3]}`)));
  check('del of both at once', ended, [true, true]);
};
