/** The target's address for generators that are in networks of their own. */
export const TARGET_ADDRESS = '10.99.0.1';

/** Command that gives the network of a story this address. */
export const ADD_TARGET_ADDRESS = `ip addr add ${TARGET_ADDRESS}/32 dev lo`;

/**
 * Returns the commands that connect a generator's network to the network of the target's machine. The commands run in the generator's
 * network, but see process 1 of the target's machine.
 */
export function cableCommands(place: string, number: number): string[] {
  const there = 'nsenter --target 1 --net';
  return [
    `ip link add eth0 type veth peer name to-${place} netns 1`,
    `${there} ip addr add 10.99.${number}.1/24 dev to-${place}`,
    `${there} ip link set to-${place} up`,
    `ip addr add 10.99.${number}.2/24 dev eth0`,
    'ip link set eth0 up',
    `ip route add default via 10.99.${number}.1`,
  ];
}
