import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { getOwn } from '#core/base/ownMembers.ts';
import type { ChartData } from '#core/presentation/charts/types.ts';
import { ActionMenu } from '../components/ActionMenu.tsx';
import { Button } from '../components/Button.tsx';
import { words } from '../words/words.ts';
import styles from './ChartMenu.module.css';
import { type KeyEntry, renderPng, standaloneSvg } from './picture.ts';
import { playedLine, play, listTones } from './sound.ts';
import { download, getFileName, saveText, type SaveOutcome } from '../components/saveFile.ts';

interface ChartMenuProps {
  readonly title: string;
  /** Returns the drawing as shown on screen, or null while a table is shown instead. */
  readonly drawing: () => SVGSVGElement | null;
  /** Returns the lines whose names are not contained in the drawing. */
  readonly lines: () => readonly KeyEntry[];
  readonly csv: () => string;
  readonly data: ChartData;
}

const MESSAGE_MS = 3_000;
const texts = words.charts;

/** Menu that exports a chart as PNG, SVG or CSV, or plays the chart as sound. */
export function ChartMenu({ title, drawing, lines, csv, data }: ChartMenuProps) {
  const [message, setMessage] = useState('');
  useEffect(() => {
    if (message === '') return;
    const timer = setTimeout(() => setMessage(''), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [message]);
  const createSvg = (): string => {
    const drawnElement = drawing();
    if (!drawnElement) throw new Error('there is no drawing');
    return standaloneSvg(drawnElement, title, lines());
  };
  const showOutcome = (saved: SaveOutcome): void =>
    setMessage(saved.outcome === 'failed' ? saved.message : saved.outcome === 'saved' ? texts.saved : '');
  const acts: Record<string, { readonly label: string; readonly act: () => Promise<void>; readonly failed: string }> = {
    copyPng: {
      label: texts.copyPng,
      failed: texts.notCopied,
      act: async () => {
        // The promise is passed unresolved, because browsers allow access to the clipboard only during the user's click.
        await navigator.clipboard.write([new ClipboardItem({ 'image/png': renderPng(createSvg()) })]);
        setMessage(texts.copied);
      },
    },
    savePng: {
      label: texts.savePng,
      failed: texts.notDrawn,
      act: async () => {
        download(`${getFileName(title)}.png`, await renderPng(createSvg()));
        setMessage(texts.saved);
      },
    },
    saveSvg: {
      label: texts.saveSvg,
      failed: texts.notDrawn,
      act: async () => showOutcome(await saveText(`${getFileName(title)}.svg`, 'image/svg+xml', createSvg())),
    },
    copyCsv: {
      label: texts.copyCsv,
      failed: texts.notCopied,
      act: async () => {
        await navigator.clipboard.writeText(csv());
        setMessage(texts.copied);
      },
    },
    saveCsv: {
      label: texts.saveCsv,
      failed: texts.notCopied,
      act: async () => showOutcome(await saveText(`${getFileName(title)}.csv`, 'text/csv', csv())),
    },
    playSound: {
      label: texts.playSound,
      failed: texts.notPlayed,
      act: async () => {
        const { name, values } = playedLine(data);
        setMessage(texts.playing(name));
        await play(listTones(values));
      },
    },
  };
  return (
    <>
      <output className={styles.stated}>{message}</output>
      <ActionMenu
        trigger={<Button look="quiet" size="small" icon={<Download />} aria-label={texts.more(title)} />}
        label={texts.more(title)}
        placement="bottom end"
        size="small"
        actions={Object.entries(acts).map(([key, { label }]) => ({ key, label }))}
        onAction={(key) => {
          const chosen = getOwn(acts, key);
          chosen?.act().catch(() => setMessage(chosen.failed));
        }}
      />
    </>
  );
}
