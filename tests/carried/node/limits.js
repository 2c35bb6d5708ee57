const { check } = require('./check.js');

module.exports = async (m) => {
  const quota = 'verb/limit/api:node/10/3600'; // ten an hour
  check(`incr ${quota} 8`, await m.incr(quota, 8), 3);
  check(`incr ${quota} 3`, await m.incr(quota, 3), 0);
  check(`get ${quota}`, await m.get(quota), '1 2 0');
};
