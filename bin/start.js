'use strict';
// The code cache lies in the user's own folder: a folder that others may write to could hold planted code.
var fs = require('fs');
var os = require('os');
var path = require('path');
var home = process.env.LLMCODE_HOME || path.join(os.homedir(), '.llmcode');
var cache = path.join(home, 'cache', 'compile');
// Made here, or they would get the rights of any folder.
[home, path.dirname(cache), cache].forEach(function (folder) {
  try {
    fs.mkdirSync(folder, 448 /* 0700 */);
  } catch (_) {
    // It is there already, or cannot be made, which the program says when it matters.
  }
});
try {
  require('module').enableCompileCache(cache);
} catch (_) {
  // A read-only home: llmcode starts a little slower.
}
import('../dist/llmcode.js').catch(function (error) {
  process.stderr.write('llmcode could not start: ' + (error && error.stack ? error.stack : error) + '\n');
  process.exit(1);
});
