import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { loopbackAddresses } from '#core/plan/hosts/generatorNames.ts';

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/** `lookup` for sockets: asks the system, except for names that always refer to this computer. */
export function lookUpHost(hostname: string, options: LookupOptions, callback: LookupCallback): void {
  const own = loopbackAddresses(hostname)?.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }));
  const fitting = own?.filter(({ family }) => ![4, 6].includes(Number(options.family)) || family === options.family);
  const [first] = fitting ?? [];
  if (fitting === undefined || first === undefined) return lookup(hostname, options, callback);
  process.nextTick(() => (options.all === true ? callback(null, fitting) : callback(null, first.address, first.family)));
}
