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
  // Without the folder llmcode starts a little slower; asked to make it below /proc, Node would never come back.
  if (fs.existsSync(cache)) require('module').enableCompileCache(cache);
} catch (_) {
  // A read-only home.
}
takeShortWay();
import('../dist/llmcode.js').catch(function (error) {
  process.stderr.write('llmcode could not start: ' + (error && error.stack ? error.stack : error) + '\n');
  process.exit(1);
});

// Node looks for each part of the program on the disk and at its type, once for each place that asks for it. Where the
// parts lie and what they are is known here; their text is ASCII.
function takeShortWay() {
  var registerHooks = require('module').registerHooks;
  if (!registerHooks) return;
  var url = require('url');
  var dist = url.pathToFileURL(path.join(__dirname, '..', 'dist')).href + '/';
  registerHooks({
    resolve: function (specifier, context, next) {
      var parent = context.parentURL;
      if (!parent || specifier.slice(0, 2) !== './' || parent.slice(0, dist.length) !== dist)
        return next(specifier, context);
      var folder = parent.slice(0, parent.lastIndexOf('/') + 1);
      return { url: folder + specifier.slice(2), format: 'module', shortCircuit: true };
    },
    load: function (address, context, next) {
      if (address.slice(0, dist.length) !== dist) return next(address, context);
      var source = fs.readFileSync(url.fileURLToPath(address), 'latin1');
      return { format: 'module', source: source, shortCircuit: true };
    },
  });
}
