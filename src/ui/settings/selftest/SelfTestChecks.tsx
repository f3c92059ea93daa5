import { Stack } from '#ui/components/Page.tsx';
import { StateMark } from '#ui/components/Marks.tsx';
import { nameOfCheck, type SelfTestCheck, type SelfTestFact } from '#core/measurement/selfTest/report.ts';
import { formatCount, formatMs, formatPercent } from '#core/base/units.ts';
import { OVERLOAD_WORDS } from '#core/result/generatorNames.ts';
import { words } from '#ui/words/words.ts';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { type DataColumn, DataTable } from '#ui/components/Table.tsx';
import styles from './SelfTestCard.module.css';

const selfTestWords = words.selfTest;

/** Formats a figure. Byte counts are not rounded, because they are compared exactly. */
export function valueText(value: number | null, { unit }: Pick<SelfTestFact, 'unit'>): string {
  if (value === null) return selfTestWords.nothing;
  if (unit === 'ms') return formatMs(value);
  return unit === 'bytes' ? `${formatCount(value)} B` : formatCount(value);
}

export function knownText(fact: SelfTestFact): string {
  const value = valueText(fact.known, fact);
  return fact.tolerance > 0 ? selfTestWords.tolerance(value, valueText(fact.tolerance, fact)) : value;
}

/** Returns the figures for a row: all wrong ones or, if there are none, the first count and the first time. */
export function selectFacts({ facts }: SelfTestCheck): readonly SelfTestFact[] {
  const wrongFacts = facts.filter(({ passed }) => !passed);
  if (wrongFacts.length > 0) return wrongFacts;
  return [...facts.filter(({ kind }) => kind === 'count').slice(0, 1), ...facts.filter(({ kind }) => kind === 'time').slice(0, 1)];
}

const CHECK_COLUMNS: readonly DataColumn<SelfTestCheck>[] = [
  { name: selfTestWords.behaviour, isHead: true, cell: ({ title }) => title },
  {
    name: selfTestWords.outcome,
    cell: ({ passed }) => <StateMark mark={passed ? 'passed' : 'failed'}>{passed ? selfTestWords.passed : selfTestWords.failed}</StateMark>,
  },
  { name: selfTestWords.engine, cell: ({ engine }) => engine },
  {
    name: selfTestWords.measured,
    cell: (check) => (
      <ul className={styles.lines}>
        {check.problem === null ? null : <li>{check.problem}</li>}
        {selectFacts(check).map((fact) => (
          <li key={fact.name}>
            {fact.name}: {valueText(fact.measured, fact)}
          </li>
        ))}
      </ul>
    ),
  },
  {
    name: selfTestWords.known,
    cell: (check) => (
      <ul className={styles.lines}>
        {selectFacts(check).map((fact) => (
          <li key={fact.name}>{knownText(fact)}</li>
        ))}
      </ul>
    ),
  },
];

const FIGURE_COLUMNS: readonly DataColumn<SelfTestFact>[] = [
  {
    name: selfTestWords.outcome,
    cell: ({ passed, tolerance }) => (
      <StateMark mark={passed ? 'passed' : 'failed'}>
        {passed ? (tolerance > 0 ? selfTestWords.within : selfTestWords.equal) : selfTestWords.wrong}
      </StateMark>
    ),
  },
  { name: selfTestWords.figure, isHead: true, cell: ({ name }) => name },
  { name: selfTestWords.measured, numeric: true, cell: (fact) => valueText(fact.measured, fact) },
  { name: selfTestWords.known, numeric: true, cell: knownText },
];

/** Table with a row for each check. All figures are in a collapsed section below the table. */
export function SelfTestChecks({ checks }: { readonly checks: readonly SelfTestCheck[] }) {
  const figures = checks.reduce((sum, { facts }) => sum + facts.length, 0);
  return (
    <Stack gap={8}>
      <DataTable caption={selfTestWords.checks} showCaption stacks columns={CHECK_COLUMNS} rows={checks} keyOf={nameOfCheck} />
      <Disclosure title={selfTestWords.everyFigure} summary={selfTestWords.everyFigureSummary(formatCount(figures))}>
        <Stack gap={8}>
          {checks.map((check) => (
            <CheckFigures key={nameOfCheck(check)} check={check} />
          ))}
        </Stack>
      </Disclosure>
    </Stack>
  );
}

function CheckFigures({ check }: { readonly check: SelfTestCheck }) {
  const { repeats, steal, processorUse, overloadedBy, facts, story } = check;
  return (
    <div>
      <p>{story}</p>
      {repeats > 0 ? <p className="muted">{selfTestWords.repeated(repeats + 1, formatPercent(steal))}</p> : null}
      {overloadedBy.length > 0 ? (
        <p className="muted">{selfTestWords.doubted(overloadedBy.map((cause) => OVERLOAD_WORDS[cause].what).join('; '))}</p>
      ) : null}
      {processorUse === null ? null : <p className="muted">{selfTestWords.busy(formatPercent(processorUse))}</p>}
      <DataTable caption={nameOfCheck(check)} showCaption columns={FIGURE_COLUMNS} rows={facts} keyOf={({ name }) => name} />
    </div>
  );
}
