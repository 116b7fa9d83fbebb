import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

type HostAddress = { address: string; family: number };

/** Where a host lies. `inside`: an address of it belongs to this machine or its network. */
export type HostAddresses = { addresses: readonly HostAddress[]; inside: string | undefined };

/**
 * Resolves a name once; who connects must go to the very addresses, so that a name which means something else a moment
 * later leads nowhere. Rejects when there is no such name.
 */
export async function addressesOf(host: string): Promise<HostAddresses> {
  const plain = host.replace(/^\[|\]$/g, '');
  const addresses = isIP(plain)
    ? [{ address: plain, family: isIP(plain) }]
    : await lookup(plain, { all: true });
  return { addresses, inside: addresses.find(({ address }) => !isPublicAddress(address))?.address };
}
