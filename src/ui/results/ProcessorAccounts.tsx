import { memo } from 'react';
import {
  PROCESSOR_ACCOUNT_COLUMNS,
  PROCESSOR_ACCOUNTS_NOTE,
  PROCESSOR_ACCOUNTS_TITLE,
  processorAccountRows,
  processorAccounts,
} from '#core/machines/monitors/processorAccounts.ts';
import { loadedSpans } from '#core/result/loadedTimes.ts';
import type { RunResult } from '#core/result/schema.ts';
import { Stack } from '../components/Page.tsx';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import styles from './ResultPage.module.css';

/** What attached graphs say of the processor, beside what the kernel counted; nothing where there are none. */
export const ProcessorAccounts = memo(function ProcessorAccounts({ result }: { readonly result: RunResult }) {
  const rows = processorAccountRows(processorAccounts(result.monitors, loadedSpans(result)));
  if (rows.length === 0) return null;
  return (
    <Stack gap={8}>
      <Table caption={PROCESSOR_ACCOUNTS_TITLE} showCaption stacks>
        <thead>
          <Row>
            {PROCESSOR_ACCOUNT_COLUMNS.map(({ name, numeric }) => (
              <HeadCell key={name} numeric={numeric}>
                {name}
              </HeadCell>
            ))}
          </Row>
        </thead>
        <tbody>
          {rows.map(([by = '', ...cells]) => (
            <Row key={[by, ...cells].join(' ')}>
              <HeadCell scope="row">{by}</HeadCell>
              {PROCESSOR_ACCOUNT_COLUMNS.slice(1).map(({ name, numeric }, index) => (
                <Cell key={name} label={name} numeric={numeric}>
                  {cells[index]}
                </Cell>
              ))}
            </Row>
          ))}
        </tbody>
      </Table>
      <p className={styles.quiet}>{PROCESSOR_ACCOUNTS_NOTE}</p>
    </Stack>
  );
});
