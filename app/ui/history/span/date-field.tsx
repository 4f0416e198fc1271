import { useEffect, useRef } from 'react';

interface DateFieldProps {
  /** The span in words, which the field shows unless somebody types into it. */
  title: string;
  /** The date in it, such as `2026-11-21`; empty for all readings. */
  date: string;
  /** The last date that can be chosen. */
  max: string;
  /** @param isFurther true if the same visit of the field has chosen another date before */
  onChoose(date: string, isFurther: boolean): void;
}

/** A title with more characters is written smaller. */
const LONG = 18;

/** The browser's own date field. It looks like a button with the shown span until it has the focus. */
export function DateField({ title, date, max, onChoose }: DateFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const hasChosen = useRef(false);
  useEffect(() => {
    // Not while the same date is in the field, which would move the cursor.
    if (input.current && input.current.value !== date) input.current.value = date;
  }, [date]);
  return (
    <label className="relative flex min-h-11 min-w-0 flex-1 items-center justify-center rounded-[0.625rem] border border-line px-2 font-semibold focus-within:border-transparent hover:border-accent sm:w-48 sm:flex-none">
      <span className="sr-only">Date</span>
      {/* A long title takes two lines: the field keeps its size. */}
      <span
        aria-hidden="true"
        className={`text-center text-balance ${title.length > LONG ? 'text-sm/4' : ''}`}
      >
        {title} <span className="text-muted">▾</span>
      </span>
      <input
        ref={input}
        type="date"
        min="2000-01-01"
        max={max}
        defaultValue={date}
        onClick={() => openPicker(input.current)}
        onBlur={({ target }) => {
          hasChosen.current = false;
          target.value = date;
        }}
        onChange={({ target }) => {
          // Years are typed digit by digit: 0002 is not meant.
          if (!target.value || !target.validity.valid) return;
          onChoose(target.value, hasChosen.current);
          hasChosen.current = true;
        }}
        className="absolute inset-0 w-full cursor-pointer rounded-[0.625rem] bg-surface px-3 opacity-0 focus:opacity-100"
      />
    </label>
  );
}

function openPicker(input: HTMLInputElement | null): void {
  try {
    input?.showPicker();
  } catch {
    // Refused in a frame of another site. The field can be typed into.
  }
}
