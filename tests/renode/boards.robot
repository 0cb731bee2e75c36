*** Comments ***
Called by `make test-renode`, which gives ${FOLDER}, the folder that prepare.py has filled.

*** Settings ***
Documentation     Each board of boards/renode runs the digits: CRC of the output, arena peak,
...               number of instructions.
Suite Setup       Setup
Suite Teardown    Teardown
Test Setup        Reset Emulation
Test Teardown     Test Teardown
Resource          ${RENODEKEYWORDS}
Variables         ${FOLDER}/variables.py
Test Template     Board Runs The Digits

*** Test Cases ***
STM32F4 Discovery     ${STM32}
STM32F746G Discovery  ${STM32F746G_DISCO}
Nucleo H753ZI         ${NUCLEO_H753ZI}
nRF52840 DK           ${NRF52840_DK}

*** Keywords ***
Board Runs The Digits
    [Arguments]    ${board}
    Execute Command    using sysbus
    Execute Command    mach create "${board}[name]"
    Execute Command    machine LoadPlatformDescription @${board}[platform]
    Execute Command    cpu PerformanceInMips ${board}[mips]
    Execute Command    sysbus LoadELF @${board}[image]
    Execute Command    cpu VectorTableOffset ${board}[vectors]
    Create Terminal Tester    ${board}[uart]    timeout=120
    Create Log Tester    1
    Start Emulation
    Write Line To Uart    ${EMPTY}    waitForEcho=false
    Wait For Line On Uart    mcuc 1 ready
    ${paint_to_data}=    Set Variable    ${board}[commands][:-2]
    FOR    ${command}    IN    @{paint_to_data}
        Write Line To Uart    ${command}    waitForEcho=false
        Wait For Line On Uart    mcuc 1 end
    END
    Write Line To Uart    ${board}[commands][-2]    waitForEcho=false
    ${result}=    Wait For Line On Uart    ${board}[result]    treatAsRegex=true
    # The name of the field is `line` or `Line`, by the version of Renode.
    ${line}=    Evaluate    next(v for k, v in $result.items() if k.lower() == 'line')
    Instructions Should Be    ${board}    ${line}
    Wait For Line On Uart    mcuc 1 end
    Write Line To Uart    ${board}[commands][-1]    waitForEcho=false
    Wait For Line On Uart    ${board}[output]    treatAsRegex=true
    # A read beside all memories returns zero and says so: RAM ends where the chip's ends.
    Should Not Be In Log    non existing peripheral at 0x[0-3][0-9A-F]{7}\\b    treatAsRegex=true
    Should Not Be In Log    non existing peripheral at 0x[0-9A-F]{1,7}\\b    treatAsRegex=true

Instructions Should Be
    [Documentation]    Code of one CPU lies at other addresses on another board: a little may differ.
    [Arguments]    ${board}    ${line}
    ${counted}=    Evaluate    [int(n) for n in re.match($board['ticks'], $line).groups()]    modules=re
    ${instructions}=    Evaluate    $counted[0] - $counted[1]
    ${off}=    Evaluate    abs($instructions - $board['instructions'])
    ${allowed}=    Evaluate    max(2, $board['instructions'] // 1000)
    Should Be True    ${off} <= ${allowed}    ${board}[name]: ${instructions} instructions
