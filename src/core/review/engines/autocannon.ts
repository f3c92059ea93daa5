import { whereWalked } from '#core/work/journey/walked.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Engine, Hindrance } from './engine.ts';

/**
 * The version is pinned because the driver replaces private members. The parser allocates objects per response: with half of
 * this young generation, it takes 5 % more processor time.
 */
export const autocannon: Engine = { name: 'autocannon', version: '9.0.0', youngObjectsMb: 48, hindrancesOf };

function hindrancesOf(plan: Plan): Hindrance[] {
  const found: Hindrance[] = [];
  if (plan.load.model !== 'connections') {
    found.push({ code: 'MODEL_NOT_SUPPORTED', path: 'load.model', message: 'supports the load model “connections” only' });
  }
  for (const [index, target] of plan.targets.entries()) {
    if (new URL(target.url).protocol !== 'https:') continue;
    found.push({ code: 'CERTIFICATE_UNVERIFIABLE', path: `targets[${index}].url`, message: 'does not verify certificates' });
  }
  if (found.length > 0 && plan.tls.serverName !== undefined) {
    found.push({ code: 'SERVER_NAME_NOT_SUPPORTED', path: 'tls.serverName', message: 'uses only the host of the target for TLS' });
  }
  if (found.length > 0 && plan.tls.clientCertificate !== undefined) {
    found.push({
      code: 'CLIENT_CERTIFICATE_NOT_SUPPORTED',
      path: 'tls.clientCertificate',
      message: 'does not support client certificates',
    });
  }
  if (found.length > 0 && plan.tls.resume !== undefined) {
    found.push({ code: 'RESUMPTION_NOT_SUPPORTED', path: 'tls.resume', message: 'makes a full TLS handshake for each connection' });
  }
  for (const [index, step] of plan.journey.entries()) {
    if (step.method !== 'HEAD') continue;
    found.push({ code: 'HEAD_NOT_SUPPORTED', path: `journey[${index}].method`, message: 'does not support HEAD requests' });
  }
  for (const [index, step] of plan.journey.entries()) {
    if (step.checks.length === 0) continue;
    found.push({ code: 'CHECKS_NOT_SUPPORTED', path: `journey[${index}].checks`, message: 'does not check the content of responses' });
  }
  const walked = whereWalked(plan);
  if (walked !== null) {
    found.push({
      code: 'JOURNEY_NOT_SUPPORTED',
      path: walked,
      message: 'repeats the same requests, without values, cookies or redirects',
    });
  }
  if (plan.connections.reuse === 'journey') {
    found.push({ code: 'REUSE_NOT_SUPPORTED', path: 'connections.reuse', message: 'keeps its connections between journeys' });
  }
  if (plan.connections.protocol === 'h2') {
    found.push({ code: 'HTTP2_NOT_SUPPORTED', path: 'connections.protocol', message: 'speaks HTTP/1.1 only' });
  }
  if (plan.connections.connectSeconds !== undefined || plan.connections.firstByteSeconds !== undefined) {
    found.push({ code: 'LIMIT_NOT_SUPPORTED', path: 'connections', message: 'supports one time limit for the whole request only' });
  }
  if (plan.connections.socketPath !== undefined) {
    found.push({ code: 'SOCKET_NOT_SUPPORTED', path: 'connections.socketPath', message: 'connects over the network only' });
  }
  if (plan.connections.localAddresses !== undefined) {
    found.push({
      code: 'LOCAL_ADDRESS_NOT_SUPPORTED',
      path: 'connections.localAddresses',
      message: 'does not support local addresses',
    });
  }
  return found;
}
