import { type ReactNode, useEffect, useState } from 'react';

/** The size in pixels of a screen on which a chart has the size that it is designed for. */
const [DESIGN_WIDTH, DESIGN_HEIGHT] = [600, 450];

/**
 * Enlarges a chart with the screen, lines and texts alike: texts of 12 px get 2.7 % of the height, or less where the
 * screen is too narrow for the legend. Empty until the page knows its screen. The space for the chart is `100cqh` high.
 *
 * @param children renders the chart for a scale, which its canvas has to be as sharp as
 */
export function Enlarged({ children }: { children: (scale: number) => ReactNode }) {
  const [scale, setScale] = useState<number | null>(null);
  useEffect(() => {
    const measure = () =>
      setScale(Math.min(Math.max(1, innerWidth / DESIGN_WIDTH), innerHeight / DESIGN_HEIGHT));
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);
  if (scale === null) return null;
  const size = `${100 / scale}%`;
  return (
    // A chart draws for one scale.
    <div
      key={scale}
      className="origin-top-left text-[14px] [container-type:size] [&_figcaption]:text-[10px]"
      style={{ width: size, height: size, scale: String(scale) }}
    >
      {children(scale)}
    </div>
  );
}
