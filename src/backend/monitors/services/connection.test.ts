import { describe, expect, it } from 'vitest';
import { requireReading } from './connection.ts';

describe('requireReading', () => {
  it.each([
    'SELECT 1',
    ' (select 1)',
    'WITH a AS (SELECT 1) SELECT * FROM a',
    '/* how many */ select count(*) from t',
    '-- rows\nselect 1',
    'SHOW STATUS',
  ])('accepts %s', (sql) => expect(() => requireReading(sql)).not.toThrow());

  it.each([
    'DELETE FROM t',
    'COPY t TO PROGRAM $$id$$',
    'DO $$ BEGIN END $$',
    'CALL f()',
    'SET x = 1',
    '/* select */ DROP TABLE t',
    "SELECT 'x' INTO OUTFILE '/tmp/x'",
    "SELECT 'x' INTO/**/DUMPFILE '/tmp/x'",
    "SELECT 'x' /*!50000 INTO OUTFILE '/tmp/x' */",
    "SELECT 'x' INTO -- \n OUTFILE '/tmp/x'",
  ])('rejects %s', (sql) => expect(() => requireReading(sql)).toThrow('does more than read'));
});
