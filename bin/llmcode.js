#!/usr/bin/env node
// Old JavaScript on purpose: it must run on any Node, to start a newer one or to say what to install.
'use strict';
var path = require('path');
var fs = require('fs');

var wanted = [22, 22];
var have = process.versions.node.split('.').map(Number);
var isNewEnough = have[0] > wanted[0] || (have[0] === wanted[0] && have[1] >= wanted[1]);

if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-v')) {
  var manifest = JSON.parse(fs.readFileSync(path.join(__dirname, '..', 'package.json'), 'utf8'));
  process.stdout.write(manifest.version + '\n');
} else if (!isNewEnough) {
  startWithPackagedNode();
} else if (needsProxyFlag()) {
  startWith(process.execPath, ['--use-env-proxy', '--disable-warning=UNDICI-EHPA']);
} else {
  require('./start.js');
}

// Before 24.14 Node obeys proxy variables only when it is told so at its start.
function needsProxyFlag() {
  var env = process.env;
  var isAsked = ['http_proxy', 'https_proxy', 'all_proxy'].some(function (name) {
    return env[name] || env[name.toUpperCase()];
  });
  var isTold = env.NODE_USE_ENV_PROXY || process.execArgv.indexOf('--use-env-proxy') >= 0;
  return isAsked && !isTold && !require('http').setGlobalProxyFromEnv;
}

function startWithPackagedNode() {
  var windows = process.platform === 'win32';
  var packaged = path.join(__dirname, '..', 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');
  if (!fs.existsSync(packaged)) {
    process.stderr.write(
      'llmcode needs Node.js ' +
        wanted.join('.') +
        ' or newer; this is ' +
        process.versions.node +
        '. Install a current Node.js and start llmcode again.\n',
    );
    process.exit(2);
  }
  startWith(packaged, []);
}

function startWith(program, options) {
  var child = require('child_process').spawn(program, options.concat(__filename, process.argv.slice(2)), {
    stdio: 'inherit',
  });
  // The terminal sends its signals to both processes; only the child may act on these. A stop is for both: while this
  // one runs, the shell would not take the terminal back.
  ['SIGINT', 'SIGQUIT'].forEach(function (name) {
    process.on(name, function () {});
  });
  ['SIGTERM', 'SIGHUP'].forEach(function (name) {
    process.on(name, function () {
      child.kill(name);
    });
  });
  child.on('error', function (error) {
    process.stderr.write('llmcode could not start ' + program + ': ' + error.message + '\n');
    process.exit(2);
  });
  child.on('exit', function (code, signal) {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else {
      process.exit(code);
    }
  });
}
