const globalDispatcher = Symbol.for('undici.globalDispatcher.1');

/**
 * A connection pool without Node's own limits of 300 seconds for headers and for silence: a local model may read
 * a long prompt for longer, and our own timeouts are the ones that count. Made from the class of Node's global
 * pool, so proxy settings that Node itself honours stay. undefined where that pool is not to be had yet.
 */
export function createPatientDispatcher(): unknown {
  new Headers(); // Node sets up its fetch, and with it the global pool, on first use.
  const current: unknown = Reflect.get(globalThis, globalDispatcher);
  if (typeof current !== 'object' || current === null) return undefined;
  const Pool = current.constructor as new (options: object) => unknown;
  try {
    return new Pool({ headersTimeout: 0, bodyTimeout: 0 });
  } catch {
    return undefined; // Some other program's pool; Node's limits stay.
  }
}
