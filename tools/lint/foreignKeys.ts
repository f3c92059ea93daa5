// Rejects access to records by names from outside the program. `node tools/lint/foreignKeys.ts` lists the locations.
import { join, relative, resolve, sep } from 'node:path';
import { SyntaxKind, type Expression, type Node, type SourceFile } from 'typescript/unstable/ast';
import {
  isBinaryExpression,
  isCallExpression,
  isDeleteExpression,
  isElementAccessExpression,
  isNumericLiteral,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isStringLiteral,
} from 'typescript/unstable/ast/is';
import { API, TypeFlags, type Checker, type Type } from 'typescript/unstable/sync';
import { rules } from './table.ts';

/** The only file that may access records by such names. */
const ALLOWED_FILE = 'src/core/base/ownMembers.ts';

/** An access to a record. */
interface Access {
  readonly node: Node;
  readonly record: Expression;
  /** The name that is accessed; null if all names of the record are used. */
  readonly key: Expression | null;
}

/**
 * Finds where the sources of a project (`config` is the path of its tsconfig.json) access an object by a text that is known only at run
 * time: `record[name]`, `name in record`, and `Object.assign` of such records. List indices, and names from a closed set, are excluded by
 * their types.
 */
function findForeignKeys(root: string, config: string, folders: readonly string[]): string[] {
  const api = new API({ cwd: root });
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (project === undefined) throw new Error(`There is no project ${config}.`);
    const isOwn = (path: string): boolean => path !== ALLOWED_FILE && folders.some((folder) => path.startsWith(`${folder}/`));
    return project.rootFiles.flatMap((name) => {
      const path = relative(root, name).split(sep).join('/');
      if (!isOwn(path)) return [];
      const file = project.program.getSourceFile(name);
      if (file === undefined) throw new Error(`${name} cannot be read.`);
      return foreignIn(file, project.checker).map(
        ({ node }) => `${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}: ${node.getText(file)}`,
      );
    });
  } finally {
    api.close();
  }
}

function foreignIn(file: SourceFile, checker: Checker): Access[] {
  // Type queries take nearly all of the time, so they are made only for names that are not literals.
  const all = accessesIn(file).filter(({ key }) => key === null || !(isStringLiteral(key) || isNumericLiteral(key)));
  if (all.length === 0) return [];
  const types = checker.getTypeAtLocation(all.map(({ record, key }) => key ?? record));
  return all.filter(({ key }, index) => {
    const type = types[index];
    if (type === undefined) return true;
    return key === null ? hasStringIndex(type, checker) : isAnyText(type, checker);
  });
}

function accessesIn(file: SourceFile): Access[] {
  const foundAccesses: Access[] = [];
  const visitNode = (node: Node): void => {
    // Deleting is harmless, because only own members can be deleted.
    if (isDeleteExpression(node)) {
      if (isElementAccessExpression(node.expression)) visitNode(node.expression.expression);
      return;
    }
    if (isElementAccessExpression(node)) foundAccesses.push({ node, record: node.expression, key: node.argumentExpression });
    else if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword)
      foundAccesses.push({ node, record: node.right, key: node.left });
    else if (isCallExpression(node) && isObjectAssign(node.expression))
      for (const record of node.arguments.slice(1)) foundAccesses.push({ node, record, key: null });
    node.forEachChild(visitNode);
  };
  file.forEachChild(visitNode);
  return foundAccesses;
}

function isObjectAssign(calledNode: Node): boolean {
  if (isParenthesizedExpression(calledNode)) return isObjectAssign(calledNode.expression);
  return isPropertyAccessExpression(calledNode) && calledNode.getText() === 'Object.assign';
}

const ANY_TEXT = TypeFlags.String | TypeFlags.TemplateLiteral | TypeFlags.Any | TypeFlags.Unknown;

function isAnyText(type: Type, checker: Checker): boolean {
  return getParts(type).some((part) => {
    const { flags } = part.isTypeParameter() ? (checker.getBaseConstraintOfType(part) ?? part) : part;
    return (flags & ANY_TEXT) !== 0;
  });
}

function hasStringIndex(type: Type, checker: Checker): boolean {
  return getParts(type).some((part) => checker.getIndexInfosOfType(part).some(({ keyType }) => isAnyText(keyType, checker)));
}

function getParts(type: Type): readonly Type[] {
  return type.isUnionType() || type.isIntersectionType() ? type.getTypes().flatMap(getParts) : [type];
}

const root = resolve('.');
const [config = join(root, 'tools', 'tsconfig', 'sources.json')] = process.argv.slice(2).map((name) => resolve(name));
const found = findForeignKeys(root, config, Object.keys(rules));
for (const line of found) process.stdout.write(`${line}\n`);
if (found.length > 0) process.stderr.write('Use getOwn, setOwn or getOrSetOwn of src/core/base/ownMembers.ts, or a Map.\n');
process.exitCode = found.length > 0 ? 1 : 0;
