import type { ReactNode } from 'react';
import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { classes } from './classes.ts';
import field from './Field.module.css';
import styles from './RadioCards.module.css';

export interface RadioCard {
  readonly value: string;
  /** Plain text of the card, its accessible name. */
  readonly name: string;
  readonly content: ReactNode;
}

interface RadioCardsProps {
  readonly label: string;
  readonly hideLabel?: boolean;
  /** null: none chosen yet. */
  readonly value: string | null;
  readonly cards: readonly RadioCard[];
  readonly onChange: (value: string) => void;
  /** `cards`: large, two abreast. `row`: small, in a row. */
  readonly layout?: 'cards' | 'row';
}

/** One of several, each shown in full. Arrow keys move between them. */
export function RadioCards({ label, hideLabel, value, cards, onChange, layout = 'cards' }: RadioCardsProps) {
  return (
    <RadioGroup className={classes(field.field)} value={value} onChange={onChange}>
      <Label className={classes(field.label, hideLabel && field.hiddenLabel)}>{label}</Label>
      <div className={layout === 'cards' ? styles.cards : styles.row}>
        {cards.map((card) => (
          <Radio key={card.value} value={card.value} aria-label={card.name} className={classes(styles.card, styles[`in-${layout}`])}>
            <span className={styles.dot} aria-hidden="true" />
            <span className={styles.content}>{card.content}</span>
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
