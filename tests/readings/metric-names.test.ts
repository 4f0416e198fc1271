import { describe, expect, test } from 'vitest';
import type { MetricField } from '../../app/readings/metric';
import { likelyMetric, metricNamed, readName } from '../../app/readings/metric-names.js';
import { conversionFrom, likelyUnit } from '../../app/readings/metric-units.js';

/** A table of a metric's names, separated by `|`; `none` are other quantities. */
const NAMES: [MetricField | null, string][] = [
  // Examples of ESPHome's component pages, with the names as they are in its topics.
  ['co2', 'mh-z19_co2_value|senseair_co2_value|workshop_co2|zyaura_co2|office_co2|waveplus_co2|co2'],
  ['voc', 'workshop_tvoc|tvoc|waveplus_voc|iaq_core_tvoc_sensor|sm300d2_tvoc_value'],
  ['voc_index', 'voc_index|sen54_voc|sgp40_voc|sen5x_tvoc'],
  ['nox_index', 'nox_index|sgp41_nox_index|sen55_nox'],
  [
    'pm25',
    '_pm__2_5__m_weight_concentration|workshop_pm__2_5__m_weight_concentration|pm2_5|sm300d2_pm2_5_value|indoor_pm2_5|' +
      'particulate_matter__2_5__m_concentration|particulate_matter_2_5__m_concentration|pm_2_5',
  ],
  ['pm1', '_pm__1__m_weight_concentration|particulate_matter__1_0__m_concentration|pm1_0|pm_1_0'],
  ['pm4', '_pm__4__m_weight_concentration|sps30_pm_4_0'],
  ['hcho', 'sfa30_formaldehyde|formaldehyde_value|HCHO'],
  ['co', 'carbon_monoxide|kitchen_carbon_monoxide|mics4514_carbon_monoxide|co_value'],
  ['no2', 'nitrogen_dioxide|mics4514_nitrogen_dioxide'],
  ['o3', 'ozone|kitchen_ozone'],
  ['radon', 'waveplus_radon|radon_1_day_average|radon'],
  ['noise', 'sound_pressure|living_room_noise|sound_pressure_level|DNMS_noise_LAeq'],
  ['light', 'illuminance|bh1750_illuminance|ambient_light|living_room_lux'],
  [
    'pm10',
    '_pm__10__m_weight_concentration|particulate_matter__10_0__m_concentration|pm10_0|sm300d2_pm10_value|pm_10_0|pm10',
  ],
  [
    'temperature',
    'mh-z19_temperature|bme280_temperature|living_room_temperature|b-parasite_air_temperature|current_temperature|' +
      'temperature_tmp1075|ambient_temperature|sm300d2_temperature_value|temperature_1|cgg1__new__temperature',
  ],
  [
    'humidity',
    'relative_humidity|living_room_humidity|bme680_humidity|sm300d2_humidity_value|cgg1__new__humidity',
  ],
  ['pressure', 'bme280_pressure|outside_pressure|indoor_pressure|ambient_pressure|absolute_pressure'],
  [
    null,
    'ccs811_eco2_value|workshop_eco2|ens160_eco2|iaq_core_co2_sensor|sm300d2_co2_value|bme680_co2_equivalent|' +
      'bme680_breath_voc_equivalent|co2_calibration_value|workshop_pm__2_5__m_number_concentration|pmc__2_5__m|' +
      'absolute_humidity|tcs34725_color_temperature|differential_pressure|hvac_filter_pressure_drop|device_temperature|' +
      'internal_temperature|kitchen_cpu_temp|esp32_temperature|max_temperature|min_temperature|water_temperature|' +
      'target_temperature|outside_temperature|heat_temperature_difference|ens160_air_quality_index|wifi_signal|' +
      'illuminance_raw|raw_illuminance|wifi_noise|rf_noise|wlan_noise_db|typical_particle_size|dew_point|sen55_voc_raw|sea_level_pressure|co2_threshold|temperature_offset',
  ],
  // Members of messages.
  ['co2', 'CarbonDioxide|CO2|rco2|SCD40 CO2'],
  ['pm25', 'PM2.5|PM2_5|pm02Compensated|pm2p5|SDS_P2|SPS30_P2'],
  ['pm10', 'SDS_P1|PMS_P1'],
  ['temperature', 'Temperature|atmpCompensated|temp'],
  ['voc_index', 'tvocIndex|vocIndex'],
  ['nox_index', 'noxIndex|NOx'],
  [
    null,
    'eCO2|aHumidity|DewPoint|SeaPressure|PM0_3|CO2e|SO2|N2O|VOC_Raw|NOX_Raw|ColorTemperature|HeatIndex|soil_moisture',
  ],
  // Columns of files.
  ['co2', 'CO2 (ppm)|CO₂ [ppm]|Carbon dioxide(ppm)|CO2 (average)'],
  ['pm25', 'PM2.5 (µg/m³)|pm2.5_alt|pm2.5_cf_1|pm2_5_cf1|PM2,5|pm25_ug_m3'],
  ['pm10', 'pm10.0_atm|PM10 (ug/m3)'],
  [
    'temperature',
    'Temp (°F)|temp_f|Temperature(°C)|Temperature (2)|Temperature Humidity Sensor 1A2B Temperature',
  ],
  ['temperature', 'Temperatur [°C]|schlafzimmer_temperatur|Température'],
  ['humidity', 'Relative humidity(%)|Humidity (%RH)|wohnzimmer_luftfeuchtigkeit'],
  ['pm1', 'pm1.0_cf_1|PM 1.0 ug/m3|PM1(ug/m3)'],
  ['co', 'CO (ppm)|Carbon monoxide(ppm)'],
  [
    'radon',
    'Radon concentration(Bq/m³)|Radon concentration(pCi/L)|RADON_SHORT_TERM_AVG Bq/m3|radonShortTermAvg',
  ],
  ['pressure', 'Atmospheric pressure(hPa)|Pressure [mmHg]|Barometric Pressure'],
  [
    null,
    'Absolute Humidity (g/m³)|RADON_LONG_TERM_AVG Bq/m3|waveplus_radon_long_term|CO alarm|noise_level_max|light_temperature|co_temperature|' +
      'Absolute Luftfeuchtigkeit|Solltemperatur|Außentemperatur|pm2.5_10minute|pm25_a|0.3_um_count|time|',
  ],
];

test.each(
  NAMES.flatMap(([field, names]) =>
    names.split('|').map((name): [string, MetricField | null] => [name, field]),
  ),
)('the metric of %j is %s', (name, field) => {
  expect(metricNamed(name)).toBe(field);
});

test('a bare VOC may be in PPB or an index; its unit and some devices decide', () => {
  expect(readName('voc')).toMatchObject({ field: 'voc', or: 'voc_index' });
  expect(readName('kitchen_voc')).toMatchObject({ field: 'voc', or: 'voc_index' });
  for (const name of ['tvoc', 'VOC (ppb)', 'voc_ppm', 'waveplus_voc'])
    expect(readName(name)?.or).toBeUndefined();
});

test.each([
  ['living_room_temperature', { before: 'living_room', place: 'living_room', isAlone: false }],
  ['bedroom_scd41_co2', { before: 'bedroom_scd41', place: 'bedroom', isAlone: false }],
  ['mh-z19_co2_value', { before: 'mh_z19', place: '', isAlone: false }],
  ['room1_temperature', { place: 'room1' }],
  ['average_co2', { before: 'average', place: '', isAlone: true }],
])('finds the place in %s', (name, words) => {
  expect(readName(name)).toMatchObject(words);
});

test('a name with an unknown word after the metric is only likely to be one', () => {
  expect([readName('co2_kitchen'), likelyMetric('co2_kitchen')]).toEqual([null, 'co2']);
  expect(likelyMetric('pm1.0_cf_1')).toBe('pm1');
});

describe('units', () => {
  test.each([
    ['Temp (°F)', 77, 25],
    ['temp_f', 77, 25],
    ['Temperature (K)', 300.15, 27],
    ['Pressure (Pa)', 101_325, 1013.25],
    ['Pressure [mmHg]', 750, 999.918],
    ['pressure_inhg', 30, 1015.91658],
    ['VOC (ppm)', 0.12, 120],
    ['PM2.5 (mg/m³)', 0.012, 12],
    ['CO2 (ppm)', 612, 612],
    ['CO (ppb)', 350, 0.35],
    ['NO2 (ppm)', 0.02, 20],
    ['Radon concentration(pCi/L)', 2.5, 92.5],
    ['Radon pCi/L', 2.5, 92.5],
    ['RADON_SHORT_TERM_AVG Bq/m3', 90, 90],
    ['Noise (dBA)', 41.5, 41.5],
    ['Light (klx)', 1.2, 1200],
    ['Illuminance [lux]', 120, 120],
  ])('converts %s', (name, value, expected) => {
    const { field = 'co2', unit = '' } = readName(name) ?? {};
    const convert = conversionFrom(unit, field);
    expect(convert === null ? value : convert?.(value)).toBe(expected);
  });

  test.each<[string, MetricField]>([
    ['µg/m³', 'voc'],
    ['mg/m³', 'voc'],
    ['mg/m³', 'hcho'],
    ['mg/m³', 'co'],
    ['µg/m³', 'no2'],
    ['µg/m³', 'o3'],
    ['ppb', 'pm1'],
    ['%', 'light'],
    ['dBm', 'noise'],
    ['g/m³', 'humidity'],
    ['ppb', 'voc_index'],
    ['constructor', 'co2'],
  ])('no conversion from %s to %s', (unit, field) => {
    expect(conversionFrom(unit, field)).toBeUndefined();
  });

  test.each<[MetricField, number, string | null]>([
    ['temperature', 21, null],
    ['temperature', 72, '°F'],
    ['temperature', 295, 'K'],
    ['pressure', 1013, null],
    ['pressure', 101_325, 'Pa'],
    ['pressure', 101.3, 'kPa'],
    ['pressure', 29.9, 'inHg'],
    ['temperature', -127, null],
    ['temperature', 85, null],
    ['co2', 612, null],
    ['co', 2, null],
    ['hcho', 20, 'ppm'],
    ['no2', 0.02, 'ppm'],
    ['o3', 30, 'ppm'],
    ['radon', 68, 'pCi/L'],
    ['light', 120, null],
  ])('%s of %d without a unit is likely to be in %s', (field, value, unit) => {
    expect(likelyUnit(field, value)).toBe(unit);
  });
});
