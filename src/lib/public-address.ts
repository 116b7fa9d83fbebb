import { BlockList, isIP } from 'node:net';

/** IPv4 that leads into this machine, its networks, or nowhere; with the address of a cloud's own wire server. */
const notPublic4 = blockList('ipv4', [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24',
  '203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32',
]);
/** Of IPv6 only this is handed out; tunnels in it (Teredo, 6to4) carry IPv4 addresses of any kind. */
const unicast6 = blockList('ipv6', ['2000::/3']);
const notPublic6 = blockList('ipv6', ['2001::/23 2001:db8::/32 2002::/16 3fff::/20 2620:4f:8000::/48']);

/** True for an address on the open internet. Anything else, also what is no address, is not. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  switch (isIP(mapped ?? plain)) {
    case 4:
      return !notPublic4.check(mapped ?? plain, 'ipv4');
    case 6:
      return unicast6.check(plain, 'ipv6') && !notPublic6.check(plain, 'ipv6');
    default:
      return false;
  }
}

function blockList(family: 'ipv4' | 'ipv6', lines: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of lines.join(' ').split(' ')) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}
