// Sensirion's libraries for an SCD41 and an SGP41, as used by the sketches. The sensors enforce the rules of their data
// sheets.
#pragma once
#include "board.h"

inline void demand(bool isTrue, const char* rule) {
  if (isTrue) return;
  fprintf(stderr, "%s\n", rule);
  exit(1);
}

class TwoWire {
 public:
  void begin(int sda, int scl) { demand(sda == 21 && scl == 22, "the sensors are connected to SDA 21 and SCL 22"); }
} inline Wire;

#define SCD41_I2C_ADDR_62 0x62

/** Measures every 5 s, and returns each measurement once. Already runs when the board starts. */
class SensirionI2cScd4x {
 public:
  void begin(TwoWire&, uint8_t address) { demand(address == 0x62, "the SCD41 has the address 0x62"); }
  int16_t stopPeriodicMeasurement() {
    isRunning = false;
    stoppedMs = millis();
    return 0;
  }
  int16_t startPeriodicMeasurement() {
    demand(!isRunning && millis() - stoppedMs >= 500, "an SCD41 that runs has to be stopped 500 ms before");
    isRunning = true;
    readMs = millis();
    return 0;
  }
  int16_t getDataReadyStatus(bool& isReady) {
    isReady = isRunning && millis() - readMs >= 5000;
    return 0;
  }
  int16_t readMeasurement(uint16_t& co2, float& temperature, float& humidity) {
    if (millis() - readMs < 5000) return 1;
    readMs = millis();
    co2 = 612;
    temperature = 21.5;
    humidity = 45.25;
    return 0;
  }

 private:
  bool isRunning = true;
  uint32_t stoppedMs = 0, readMs = 0;
};

class SensirionI2CSgp41 {
 public:
  void begin(TwoWire&) {}
  uint16_t executeConditioning(uint16_t, uint16_t, uint16_t& voc) {
    demand(++conditioned <= 10, "conditioning for over 10 s damages an SGP41");
    voc = 30000;
    return 0;
  }
  uint16_t measureRawSignals(uint16_t humidity, uint16_t temperature, uint16_t& voc, uint16_t& nox) {
    demand(humidity == (uint16_t)(45.25 * 65535 / 100), "the SGP41 needs the humidity in ticks");
    demand(temperature == (uint16_t)(66.5 * 65535 / 175), "the SGP41 needs the temperature in ticks");
    voc = 30000;
    nox = 15000;
    return 0;
  }

 private:
  int conditioned = 0;
};

/** 0 for 45 s, then the average. Needs a value each second. */
template <int AVERAGE>
class GasIndexAlgorithm {
 public:
  int32_t process(int32_t raw) {
    const uint32_t ms = millis();
    demand(raw > 0 && (count == 0 || (ms - lastMs > 800 && ms - lastMs < 1200)), "an index needs a value each second");
    lastMs = ms;
    return ++count > 45 ? AVERAGE : 0;
  }

 private:
  uint32_t lastMs = 0;
  int count = 0;
};
using VOCGasIndexAlgorithm = GasIndexAlgorithm<100>;
using NOxGasIndexAlgorithm = GasIndexAlgorithm<1>;
