import { nginxBefore } from '#core/machines/checks/proxyConfiguration.ts';
import { formatCount } from '#core/base/units.ts';
import type { Check } from './check.ts';

/** Servers that a plan names one by one, and the configuration of a proxy before them. Nothing is sent. */
export const serverList: Check<readonly string[]> = {
  id: 'serverList',
  about: 'Servers that share the work',
  appliesTo: ({ plan }) => originsOf(plan.targets).length > 1,
  probe: ({ plan }) => originsOf(plan.targets),
  judge(origins) {
    const isOneScheme = new Set(origins.map((origin) => new URL(origin).protocol)).size === 1;
    return {
      level: 'info',
      title: `${formatCount(origins.length)} servers, each asked by itself`,
      evidence: `${origins.map((origin) => new URL(origin).host).join(', ')}.`,
      matters:
        'The load is shared among them evenly, whatever stands before them otherwise. Visitors who come through a proxy have its limits besides.',
      remedy: isOneScheme
        ? {
            text: 'For the same test through one address, nginx with this in http { … } takes them in turn; then name its address as the only target, and X-Upstream as the header that tells the server:',
            command: nginxBefore(origins),
            undo: null,
            risk: 'Servers that remember a visitor (CMS keeps notifications in the memory of each) need “hash $remote_addr;” in the upstream block, and a load from one computer then lands on one of them.',
          }
        : null,
    };
  },
};

function originsOf(targets: readonly { readonly url: string }[]): string[] {
  return [...new Set(targets.map(({ url }) => new URL(url).origin))];
}
