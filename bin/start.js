'use strict';
// The code cache lies in the user's own folder: a folder that others may write to could hold planted code.
var os = require('os');
var path = require('path');
var home = process.env.LLMCODE_HOME || path.join(os.homedir(), '.llmcode');
try {
  require('module').enableCompileCache(path.join(home, 'cache', 'compile'));
} catch (_) {
  // A read-only home: llmcode starts a little slower.
}
import('../dist/llmcode.js').catch(function (error) {
  process.stderr.write('llmcode could not start: ' + (error && error.stack ? error.stack : error) + '\n');
  process.exit(1);
});
