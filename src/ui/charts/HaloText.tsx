interface HaloTextProps {
  readonly x: number;
  readonly y: number;
  /** A colour of the theme. */
  readonly color: string;
  readonly isStrong?: boolean;
  readonly children: string;
}

/** Words over the data of a chart, kept apart from it by a rim in the colour of the paper. */
export function HaloText({ x, y, color, isStrong = false, children }: HaloTextProps) {
  return (
    <text
      x={x}
      y={y}
      fontSize={12}
      fontWeight={isStrong ? 600 : undefined}
      fill={color}
      stroke="var(--surface-card)"
      strokeWidth={3}
      paintOrder="stroke"
    >
      {children}
    </text>
  );
}
