/** The two doors to the network of this room; a recorder or a recording may stand in for them. */
export type Transport = {
  /** A model call. */
  call: typeof fetch;
  /** A small question to a server, e.g. for its models: several at once, in no order. */
  lookUp: typeof fetch;
};

export const directTransport: Transport = {
  call: (input, init) => fetch(input, init),
  lookUp: (input, init) => fetch(input, init),
};
