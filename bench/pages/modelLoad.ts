import { drive } from '#workers/testing/drive.ts';

export interface ModelOptions {
  readonly origin: string;
  readonly path: string;
  readonly isHttp2: boolean;
}

/** Loads a page as one virtual user with an empty cache. Returns the page's time in ms, or null if the load was incomplete. */
export async function loadByModel({ origin, path, isHttp2 }: ModelOptions): Promise<number | null> {
  const { steps } = await drive({
    targets: [origin],
    stage: { connections: 1, requests: 1 },
    plan: {
      journey: [{ name: 'page', path, redirects: { follow: true }, resources: {} }],
      tls: { verify: false },
      ...(isHttp2 ? { connections: { protocol: 'h2' } } : {}),
    },
  });
  const [cell] = steps;
  const { page, pageFailed } = cell?.times ?? {};
  return page === undefined || page.totalCount !== 1 || (pageFailed?.totalCount ?? 0) > 0 ? null : page.maxValue / 1_000;
}
