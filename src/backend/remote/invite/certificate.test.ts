import { createHash, X509Certificate } from 'node:crypto';
import { expect, it } from 'vitest';
import { createOwnCertificate } from './pairingServer.ts';

it('createOwnCertificate signs a certificate of its own key, new each time', () => {
  const nowMs = Date.UTC(2026, 0, 2);
  const seen = new Set<string>();
  for (let turn = 0; turn < 20; turn += 1) {
    const { cert, fingerprint } = createOwnCertificate(nowMs);
    const certificate = new X509Certificate(cert);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(createHash('sha256').update(certificate.raw).digest('base64url')).toBe(fingerprint);
    expect([certificate.validFromDate.getTime(), certificate.validToDate.getTime()]).toEqual([nowMs - 86_400_000, nowMs + 86_400_000]);
    seen.add(fingerprint);
    seen.add(certificate.serialNumber);
  }
  expect(seen.size).toBe(40);
});
