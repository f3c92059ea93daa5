import type { ReactNode } from 'react';
import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { Text } from 'react-aria-components/Text';
import { classes } from './classes.ts';
import field from './Field.module.css';
import styles from './RadioCards.module.css';

export interface RadioCard {
  readonly value: string;
  /** Accessible name of the card. */
  readonly name: string;
  readonly content: ReactNode;
}

interface RadioCardsProps {
  readonly label: string;
  readonly hideLabel?: boolean;
  /** null: none selected. */
  readonly value: string | null;
  readonly cards: readonly RadioCard[];
  readonly onChange: (value: string) => void;
  /** `cards`: large, two per row. `three`: large, three per row. `row`: small, in one row. */
  readonly layout?: 'cards' | 'three' | 'row';
  readonly isDisabled?: boolean;
  readonly help?: ReactNode;
}

/** Radio group that shows each choice as a card. */
export function RadioCards({ label, hideLabel, value, cards, onChange, layout = 'cards', isDisabled = false, help }: RadioCardsProps) {
  return (
    <RadioGroup className={classes(field.field)} value={value} onChange={onChange} isDisabled={isDisabled}>
      <Label className={classes(field.label, hideLabel && 'only-read-out')}>{label}</Label>
      <div className={styles[layout]}>
        {cards.map((card) => (
          <Radio
            key={card.value}
            value={card.value}
            aria-label={card.name}
            className={classes(styles.card, layout === 'row' ? styles.inRow : styles.inCards)}
          >
            <span className={styles.dot} aria-hidden="true" />
            <span className={styles.content}>{card.content}</span>
          </Radio>
        ))}
      </div>
      {help ? (
        <Text slot="description" className={classes(field.help)}>
          {help}
        </Text>
      ) : null}
    </RadioGroup>
  );
}
