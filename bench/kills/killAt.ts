import { isMainThread } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { killPointSchema, STATEMENTS, type KillPoint } from './killPoint.ts';

/*
 * This file is loaded before a program (`node --import killAt.ts?POINT`). It kills the program at one step of its work, like kill -9. Steps
 * that store something are recognized by their SQL statements. The point is part of the URL, because threads load this file too and have no
 * environment. Of the threads, only the result thread stores anything.
 */

const { step, moment, nth } = killPointSchema.parse(JSON.parse(decodeURIComponent(new URL(import.meta.url).search.slice(1))));
const die = (): void => void process.kill(process.pid, 'SIGKILL');

if (step === 'worker') {
  // A thread cannot be killed with kill -9, so it exits without a message.
  if (!isMainThread) setTimeout(() => process.exit(1), nth);
} else if (isMainThread || step === 'result') killAtStatement(STATEMENTS[step], moment);

function killAtStatement(pattern: RegExp, when: KillPoint['moment']): void {
  let count = 0;
  let isArmed = false;
  const killAround = <Result>(sql: string, work: () => Result): Result => {
    const isIt = pattern.test(sql) && (count += 1) === nth;
    if (isIt && when === 'before') die();
    const result = work();
    if ((isIt && when === 'within') || (isArmed && sql === 'COMMIT')) die();
    isArmed ||= isIt;
    return result;
  };
  const statements: { run(this: { source: string }, ...parameters: unknown[]): unknown } = Object.getPrototypeOf(
    new Database(':memory:').prepare('SELECT 1'),
  );
  const { run } = statements;
  statements.run = function runOrDie(...parameters) {
    return killAround(this.source, () => run.apply(this, parameters));
  };
  const databases: { exec(this: object, sql: string): unknown } = Database.prototype;
  const { exec } = databases;
  databases.exec = function execOrDie(sql) {
    return killAround(sql, () => exec.call(this, sql));
  };
}
