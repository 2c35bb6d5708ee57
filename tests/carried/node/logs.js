const { check, listed } = require('./check.js');

module.exports = async (m) => {
  check("set verb/logput/node-log 'logged in'", await m.set('verb/logput/node-log', 'logged in', 0), true);
  check("set verb/logput/node-log 'logged out'", await m.set('verb/logput/node-log', 'logged out', 0), true);
  const events = listed(await m.get('verb/logfetch/node-log'));
  check('get verb/logfetch/node-log', events.map((event) => event[2]), ['logged in', 'logged out']);
};
