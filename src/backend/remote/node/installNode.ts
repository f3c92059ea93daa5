import { HoldfastError } from '#core/base/errors.ts';
import { askFacts } from '../host/facts.ts';
import { contentName, placeFile } from '../host/placeFile.ts';
import { shellQuoted } from '../host/clock.ts';
import type { SshConnection } from '../ssh/connection.ts';
import { plainText } from '../ssh/problems.ts';
import { fetchNode } from './fetchNode.ts';

export interface InstalledNode {
  readonly version: string;
  readonly path: string;
  readonly bytes: number;
}

/**
 * Copies Node to a host, into the agent's folder, where only Holdfast finds it. Throws `HOST_NO_NODE_FOR_IT`, `NODE_FETCH`, the errors of
 * copying, or `HOST_NODE_UNUSABLE`.
 */
export async function installNode(connection: SshConnection): Promise<InstalledNode> {
  const { nodePackage, kernel, system } = await askFacts(connection);
  if (nodePackage === null) throw noNodeForSystem(connection.label, `${system}, ${kernel}`);
  const { version, content } = await fetchNode(nodePackage);
  const path = await placeFile(connection, { name: contentName('node', content), content, isProgram: true });
  const { out, error } = await connection.run('sh', { input: `exec ${shellQuoted(path)} --version </dev/null\n` });
  if (out.trim() !== `v${version}`) throw unusable(connection.label, version, out + error);
  return { version, path, bytes: content.length };
}

function noNodeForSystem(label: string, system: string): HoldfastError {
  return new HoldfastError({
    code: 'HOST_NO_NODE_FOR_IT',
    message: `No Node to copy to ${label} (${system}).`,
    hint: 'Install Node 22 or newer there, for example from the system’s packages. npm has Node for Linux with glibc and for macOS.',
  });
}

function unusable(label: string, version: string, said: string): HoldfastError {
  return new HoldfastError({
    code: 'HOST_NODE_UNUSABLE',
    message: `Node ${version} was copied to ${label}, but does not run there: ${plainText(said) || 'no output'}.`,
    hint: 'The system may be too old for it, or its home directory may forbid programs (noexec). Install Node 22 or newer there yourself.',
  });
}
